"""The Ops that PyTensor itself always runs in Python, in the versions that were tested.

Only in other versions it matters which these are: see `registry.check_known`.
"""

#: By module. Graphs and random variables of PyTensor's are known by their base classes.
_NAMES = {
    "pytensor.breakpoint": "PdbBreakpoint",
    "pytensor.compile.ops": "FromFunctionOp",
    "pytensor.conditional.op": "IfElse LazyIfElse",
    "pytensor.graph.fg": "Output",
    "pytensor.graph.op": "_NoPythonOp",
    "pytensor.ifelse": "IfElse",
    "pytensor.link.jax.ops": "JAXOp",
    "pytensor.printing": "Print",
    "pytensor.scan.op": "Scan",
    "pytensor.sparse.basic": (
        "CSM CSMGrad CSMProperties Cast ColScaleCSC ConstructSparseFromList "
        "DenseFromSparse Diag EnsureSortedIndices GetItem2Lists GetItem2ListsGrad "
        "GetItem2d GetItemList GetItemListGrad GetItemScalar HStack Remove0 "
        "RowScaleCSC SparseFromDense Stack Transpose VStack"
    ),
    "pytensor.sparse.linalg": "SparseBlockDiagonal",
    "pytensor.sparse.math": (
        "AddSD AddSS AddSSData Dot EqualSD EqualSS GreaterEqualSD GreaterEqualSS "
        "GreaterThanSD GreaterThanSS LessEqualSD LessEqualSS LessThanSD LessThanSS "
        "NotEqualSD NotEqualSS SamplingDot SpSum SparseDenseMultiply "
        "SparseDenseVectorMultiply SparseSparseMultiply StructuredAddSV StructuredDot "
        "TrueDot Usmm __ComparisonOpSD __ComparisonOpSS "
        "AddSparseDense AddSparseSparse AddSparseSparseData EqualSparseDense "
        "EqualSparseSparse GreaterEqualSparseDense GreaterEqualSparseSparse "
        "GreaterThanSparseDense GreaterThanSparseSparse LessEqualSparseDense "
        "LessEqualSparseSparse LessThanSparseDense LessThanSparseSparse "
        "MultiplySparseDense MultiplySparseDenseVector MultiplySparseSparse "
        "NotEqualSparseDense NotEqualSparseSparse StructuredAddSparseDenseVector "
        "__ComparisonOpSparseDense __ComparisonOpSparseSparse"
    ),
    "pytensor.tensor._linalg.solve.linear_control": "TRSYL",
    "pytensor.tensor._linalg.solve.tridiagonal": (
        "LUFactorTridiagonal SolveLUFactorTridiagonal"
    ),
    "pytensor.tensor.basic": "Choose Default Eye Nonzero PermuteRowElements",
    "pytensor.tensor.blas": "Gemv Ger",
    "pytensor.tensor.blas.gemv": "Gemv",
    "pytensor.tensor.extra_ops": (
        "Bartlett FillDiagonal FillDiagonalOffset RavelMultiIndex Repeat Unique "
        "UnravelIndex"
    ),
    "pytensor.tensor.fft": "IRFFTOp RFFTOp",
    "pytensor.tensor.fourier": "Fourier",
    "pytensor.tensor.linalg.constructors": "BaseBlockDiagonal BlockDiagonal",
    "pytensor.tensor.linalg.decomposition.cholesky": "Cholesky",
    "pytensor.tensor.linalg.decomposition.eigen": "Eig Eigh Eigvalsh",
    "pytensor.tensor.linalg.decomposition.lu": "LU LUFactor PivotToPermutations",
    "pytensor.tensor.linalg.decomposition.qr": "QR",
    "pytensor.tensor.linalg.decomposition.schur": "QZ Schur",
    "pytensor.tensor.linalg.decomposition.svd": "SVD",
    "pytensor.tensor.linalg.inverse": "MatrixInverse MatrixPinv TensorInv",
    "pytensor.tensor.linalg.products": "Expm",
    "pytensor.tensor.linalg.solvers.core": "SolveBase",
    "pytensor.tensor.linalg.solvers.general": "Solve",
    "pytensor.tensor.linalg.solvers.linear_control": "TRSYL",
    "pytensor.tensor.linalg.solvers.lstsq": "Lstsq TensorSolve",
    "pytensor.tensor.linalg.solvers.psd": "CholeskySolve",
    "pytensor.tensor.linalg.solvers.triangular": "SolveTriangular",
    "pytensor.tensor.linalg.solvers.tridiagonal": (
        "LUFactorTridiagonal SolveLUFactorTridiagonal"
    ),
    "pytensor.tensor.linalg.summary": "Det SLogDet",
    "pytensor.tensor.math": "Dot",
    "pytensor.tensor.nlinalg": (
        "Det Eig Eigh EighGrad Lstsq MatrixInverse MatrixPinv SLogDet SVD TensorInv "
        "TensorSolve"
    ),
    "pytensor.tensor.optimize": (
        "MinimizeOp MinimizeScalarOp RootOp RootScalarOp ScipyScalarWrapperOp "
        "ScipyVectorWrapperOp ScipyWrapperOp"
    ),
    "pytensor.tensor.random.op": (
        "AbstractRNGConstructor DefaultGeneratorMakerOp RNGConsumerOp"
    ),
    "pytensor.tensor.reshape": "JoinDims SplitDims",
    "pytensor.tensor.signal.conv": "Convolve2d",
    "pytensor.tensor.slinalg": (
        "BaseBlockDiagonal BlockDiagonal Cholesky CholeskySolve Eigvalsh EigvalshGrad "
        "Expm LU LUFactor PivotToPermutations QR QZ Schur Solve SolveBase "
        "SolveTriangular"
    ),
    "pytensor.tensor.sort": "ArgSortOp SortOp",
    "pytensor.tensor.subtensor": "AdvancedIncSubtensor AdvancedSubtensor",
    "pytensor.tensor.type_other": "MakeSlice",
    "pytensor.typed_list.basic": "Count Index MakeList Remove",
    "pytensor.xtensor.basic": "XOp",
    "pytensor.xtensor.indexing": "Index IndexUpdate",
    "pytensor.xtensor.math": "Dot",
    "pytensor.xtensor.reduction": "XCumReduce XReduce",
    "pytensor.xtensor.shape": "Broadcast Concat ExpandDims Squeeze Stack Transpose UnStack",
    "pytensor.xtensor.vectorization": "XBlockwise XElemwise XRV",
}


def runs_in_python(kind):
    """Whether the class is one of them."""
    return kind.__name__ in _NAMES.get(kind.__module__, "").split()
