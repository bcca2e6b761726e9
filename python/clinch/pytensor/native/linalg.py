"""PyTensor's Ops of linear algebra, which version 3 has moved."""

from clinch.pytensor.versions import find

_HERE = "pytensor.tensor.linalg"
_BEFORE = "pytensor.tensor"

Cholesky = find(f"{_HERE}.decomposition.cholesky:Cholesky", f"{_BEFORE}.slinalg:Cholesky")
CholeskySolve = find(f"{_HERE}.solvers.psd:CholeskySolve", f"{_BEFORE}.slinalg:CholeskySolve")
Det = find(f"{_HERE}.summary:Det", f"{_BEFORE}.nlinalg:Det")
Eigh = find(f"{_HERE}.decomposition.eigen:Eigh", f"{_BEFORE}.nlinalg:Eigh")
Eigvalsh = find(f"{_HERE}.decomposition.eigen:Eigvalsh", f"{_BEFORE}.slinalg:Eigvalsh")
LUFactor = find(f"{_HERE}.decomposition.lu:LUFactor", f"{_BEFORE}.slinalg:LUFactor")
MatrixInverse = find(f"{_HERE}.inverse:MatrixInverse", f"{_BEFORE}.nlinalg:MatrixInverse")
PivotToPermutations = find(
    f"{_HERE}.decomposition.lu:PivotToPermutations", f"{_BEFORE}.slinalg:PivotToPermutations"
)
SLogDet = find(f"{_HERE}.summary:SLogDet", f"{_BEFORE}.nlinalg:SLogDet")
Solve = find(f"{_HERE}.solvers.general:Solve", f"{_BEFORE}.slinalg:Solve")
SolveTriangular = find(
    f"{_HERE}.solvers.triangular:SolveTriangular", f"{_BEFORE}.slinalg:SolveTriangular"
)
