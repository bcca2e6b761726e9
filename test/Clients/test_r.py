"""R's door: what Rcpp writes is compiled in R's process, where no compiler can be found.

Each test is a script in R, which ends with an error if something is not as it says.
"""

import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "integrations" / "r.md"
BUILD = Path(os.environ.get("CLINCH_BUILD", Path(__file__).parents[2] / "build"))
COMPILERS = ("gcc", "g++", "cc", "c++", "cpp", "clang", "as", "ld", "make", "x86_64-linux")
RSCRIPT = shutil.which("Rscript")


def r_has(package):
    return RSCRIPT and not subprocess.run(
        [RSCRIPT, "-e", f"quit(status = !requireNamespace('{package}', quietly = TRUE))"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


pytestmark = pytest.mark.skipif(not r_has("Rcpp"), reason="R with Rcpp is not installed")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A folder with the package, a cache, and a PATH without compilers."""
    folder = tmp_path_factory.mktemp("r")
    (folder / "bin").mkdir()
    for tool in Path("/usr/bin").iterdir():
        if not tool.name.startswith(COMPILERS):
            (folder / "bin" / tool.name).symlink_to(tool)
    (folder / "library").mkdir()
    subprocess.run(["R", "CMD", "INSTALL", "-l", folder / "library", BUILD / "r" / "clinch"],
                   env=environment(folder), check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return folder


def environment(folder):
    return {**os.environ, "PATH": str(folder / "bin"), "R_LIBS_USER": str(folder / "library"),
            "CLINCH_CACHE_DIR": str(folder / "cache"), "HOME": str(folder)}


@pytest.fixture
def r(library, tmp_path):
    """Runs a script; returns what it prints."""
    def run(script, cwd=tmp_path):
        path = tmp_path / "script.R"
        path.write_text(PRELUDE + textwrap.dedent(script))
        ran = subprocess.run([RSCRIPT, path], cwd=cwd, env=environment(library), text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout
    return run


PRELUDE = """
library(clinch)
count <- function(what) # As clinch_counter has them.
  .Call(clinch:::.state$count, match(what, c("compiles", "memory", "disk", "live")) - 1L)
message_of <- function(expression)
  tryCatch({ expression; "no error" }, error = conditionMessage)
"""

BEHAVIOUR = {
    "errors are conditions": r"""
        cppFunction('int f(int x) { if (x > 3) stop("%d is too much", x); return x; }')
        stopifnot(f(3L) == 3, message_of(f(4L)) == "4 is too much")
        cppFunction('int g() { throw std::range_error("far"); }')
        stopifnot(inherits(tryCatch(g(), error = identity), "std::range_error"))
        stopifnot(grepl("Not compatible", message_of(f("a"))))
        stopifnot(f(2L) == 2)
    """,
    "an error in R unwinds C++": r"""
        cppFunction('
            List f(Function g) {
              struct Told { NumericVector &x; ~Told() { x[0] += 1; } };
              static NumericVector told(1);
              Told one{told};
              return List::create(told, g(told));
            }')
        stopifnot(message_of(f(function(x) stop("of R"))) == "of R")
        stopifnot(identical(f(function(x) x + 0)[[2]], 1))
        quick <- tryCatch(f(function(x) signalCondition(structure(
            class = c("mine", "condition"), list(message = "", call = NULL)))),
            mine = function(e) "caught")
        stopifnot(quick == "caught", f(function(x) x + 0)[[2]] == 3)
    """,
    "values of every kind": r"""
        cppFunction('
            List f(List l, Function g, CharacterVector s, DataFrame d, NumericVector v) {
              v[1] = 7;  // A reference: the caller sees it.
              NumericVector column = d["a"];
              return List::create(_["first"] = l[0], _["called"] = g(20, _["b"] = 1),
                                  _["s"] = s, _["sum"] = double(sum(column)), _["na"] = NA_REAL);
            }')
        v <- c(1, 2)
        got <- f(list("x"), function(a, b) 2 * a + b, c(a = "\u00e9", NA),
                 data.frame(a = c(1, 2.5)), v)
        stopifnot(identical(got, list(first = "x", called = 41, s = c(a = "\u00e9", NA),
                                      sum = 3.5, na = NA_real_)), v == c(1, 7))
        stopifnot(evalCpp("R_NilValue") |> is.null(), evalCpp("6 * 7") == 42)
    """,
    "random numbers are R's": r"""
        cppFunction("NumericVector f(int n) { return rnorm(n); }")
        set.seed(1); ours <- f(5); set.seed(1)
        stopifnot(identical(ours, rnorm(5)))
    """,
    "an interrupt is one of R's": r"""
        cppFunction('void f() { raise(SIGINT); for (;;) checkUserInterrupt(); }',
                    includes = "#include <csignal>")
        stopifnot(tryCatch(f(), interrupt = function(i) "stopped") == "stopped")
    """,
    "what forks goes on": r"""
        cppFunction("int f(int x) { return 2 * x; }")
        made <- parallel::mclapply(1:2, function(i) {
            text <- "// [[Rcpp::export]]\nint g(int x) { return %d + x; }"
            built <- sourceCpp(code = sprintf(text, i))$buildDirectory
            list(g(f(i)), dirname(built)) }, mc.cores = 2)
        stopifnot(made[[1]][[1]] == 3, made[[2]][[1]] == 6,
                  made[[1]][[2]] != made[[2]][[2]]) # Rcpp writes its list in place.
    """,
    "a standard, flags, OpenMP": r"""
        Sys.setenv(PKG_CXXFLAGS = "-DTHREE=3 -D 'FOUR=4'")
        cppFunction("IntegerVector f(int n) { int s = 0;
            #pragma omp parallel for reduction(+:s)
            for (int i = 0; i < n; ++i) s += i;
            return {s, THREE + FOUR, __cplusplus}; }", plugins = c("openmp", "cpp20"))
        stopifnot(f(100L) == c(4950, 7, 202002))
    """,
    "a file has its name, its R and its headers": r"""
        writeLines("#define ONE 1", "own.h")
        writeLines(c('#include <Rcpp.h>', '#include "own.h"', '/*** R', 'told <- one() + 1',
            '*/', '// [[Rcpp::export]]', 'int one(int x = 0) { return ONE + x; }',
            '// [[Rcpp::export(name = ".hidden")]]', 'void hidden() {}'), "own.cpp")
        sourceCpp("own.cpp")
        stopifnot(told == 2, one(5L) == 6, !withVisible(.hidden())$visible)
        writeLines("#define ONE 10", "own.h")
        sourceCpp("own.cpp")
        stopifnot(told == 11)
        writeLines(c('#include <Rcpp.h>', '// [[Rcpp::export]]', 'int f() {', ' return y;', '}'),
                   "wrong.cpp")
        said <- message_of(sourceCpp("wrong.cpp"))
        stopifnot(grepl("/wrong.cpp:4:9: error: use of undeclared identifier 'y'", said))
    """,
    "a header with a file beside it": r"""
        writeLines("int twice(int x);", "twice.h")
        writeLines(c('#include "twice.h"', "int twice(int x) { return 2 * x; }"), "twice.cpp")
        writeLines(c('#include "twice.h"', '#include <Rcpp.h>', '// [[Rcpp::export]]',
            'int four(int x) { return twice(twice(x)); }'), "four.cpp")
        sourceCpp("four.cpp")
        stopifnot(four(3L) == 12)
    """,
    "what stands before a header counts": r"""
        sourceCpp(code = "/* a\n comment */\n // another\n
            #define RCPP_DEFAULT_INCLUDE_CALL false\n#include <cmath>\n#include <Rcpp.h>\n
            // [[Rcpp::export]]\nbool value() { return RCPP_DEFAULT_INCLUDE_CALL; }")
        stopifnot(!value())
    """,
    "errors name the line of the code": r"""
        said <- message_of(cppFunction("double f(double x) {\n  return x + y;\n}"))
        stopifnot(grepl("^code:2:14: error: use of undeclared identifier 'y'$",
                        strsplit(said, "\n")[[1]][[2]]))
        stopifnot(inherits(tryCatch(cppFunction("int f() { return z; }"),
                                    error = identity), "clinch_error"))
        stopifnot(grepl("nobody_has_this", message_of(cppFunction(
            'int f() { return nobody_has_this(); }', includes = "int nobody_has_this();"))))
    """,
    "a module of classes": r"""
        sourceCpp(code = '
            #include <Rcpp.h>
            struct Sum {
              Sum(double s) : sum(s) {}
              void add(double x) { if (x < 0) Rcpp::stop("less"); sum += x; }
              double sum;
            };
            RCPP_MODULE(sums) {
              Rcpp::class_<Sum>("Sum").constructor<double>().method("add", &Sum::add)
                  .field("sum", &Sum::sum);
            }')
        one <- new(Sum, 3)
        one$add(4)
        stopifnot(one$sum == 7, message_of(one$add(-1)) == "less")
        rm(Sum); gc()
        one$add(1)
        stopifnot(one$sum == 8)
    """,
    "a text of one's own": r"""
        code <- compile("#include <R.h>
            #include <Rinternals.h>
            void twice(double *x, int *n) { for (int i = 0; i < *n; ++i) x[i] *= 2; }
            SEXP size(SEXP x) { return ScalarInteger(length(x)); }
            SEXP refuse(void) { error(\"no\"); }")
        stopifnot(.C(code$twice, as.double(1:3), 3L)[[1]] == c(2, 4, 6))
        stopifnot(.Call(code$size, 1:5) == 5, message_of(.Call(code$refuse)) == "no")
        stopifnot(message_of(code$nothing) == "no function 'nothing' in text")
        code <- compile("extern \"C\" int add(int *x) { return *x += 1; }", "c++", "-O1")
        stopifnot(.C(code$add, 4L)[[1]] == 5)
        stopifnot(grepl("^own:1:1: error", strsplit(message_of(
            compile("x y;", name = "own")), "\n")[[1]][[2]]))
        stopifnot(grepl("-fplugin", message_of(compile("", flags = "-fplugin=x.so"))))
    """,
    "code lives as long as what points to it": r"""
        make <- function(n) {
            cppFunction(sprintf("int f() { return %d; }", n), env = environment()); f }
        kept <- make(0)
        before <- count("live")
        for (i in 1:5) stopifnot(make(i)() == i)
        for (i in 1:3) gc()
        stopifnot(count("live") <= before + 1, kept() == 0)
        # Of what has a finalizer in it, nobody sees the last user.
        sourceCpp(code = '
            #include <Rcpp.h>
            struct Told { ~Told() { Rprintf("finalized"); } };
            // [[Rcpp::export]]
            SEXP told() { return Rcpp::XPtr<Told>(new Told); }')
        pointer <- told()
        rm(told)
        for (i in 1:3) gc()
        rm(pointer)
        stopifnot(capture.output(invisible(gc())) == "finalized")
    """,
    "Rcpp's own functions, if asked": r"""
        use_for_rcpp()
        Rcpp::cppFunction("int f() { return 7; }")
        library(Rcpp)
        stopifnot(f() == 7, Rcpp::evalCpp("1 + 1") == 2)
        use_for_rcpp(FALSE)
        stopifnot(grepl("building shared library", message_of(suppressWarnings(
            Rcpp::sourceCpp(code = "// [[Rcpp::export]]\nint g() { return 1; }")))))
    """,
    "Rcpp attached later hides nothing": r"""
        library(Rcpp)
        cppFunction("int f() { return 7; }")
        stopifnot(f() == 7)
    """,
}


@pytest.mark.parametrize("name", BEHAVIOUR)
def test_it_is_so_that(name, r):
    r(BEHAVIOUR[name])


@pytest.mark.parametrize("package, text, result", [
    ("RcppEigen", "Eigen::MatrixXd f(Eigen::Map<Eigen::MatrixXd> a) { return a.inverse(); }",
     "c(0.5, 0, 0, 0.5)"),
    ("RcppArmadillo", "arma::mat f(arma::mat a) { return arma::solve(a, a * a); }",
     "c(2, 0, 0, 2)"),
])
def test_packages_with_headers(package, text, result, r):
    if not r_has(package):
        pytest.skip(f"{package} is not installed")
    r(f"""
        cppFunction("{text}", depends = "{package}")
        stopifnot(all.equal(c(f(diag(2) * 2)), {result}))
    """)


def test_the_cache_serves_another_session_in_another_order(r):
    texts = ['"int a() { return 101; }"', '"int b() { return 102; }"']
    script = "for (text in c({}, {})) cppFunction(text)\nstopifnot(a() == 101, b() == 102)\n"
    assert r(script.format(*texts) + 'cat(count("compiles"))') == "2"
    assert r(script.format(*texts[::-1]) + 'cat(count("compiles"), count("disk"))') == "0 2"


def test_a_folder_that_rcpp_keeps(r, tmp_path):
    script = """
        dir.create("kept", showWarnings = FALSE)
        options(rcpp.cache.dir = "kept")
        cppFunction("int f() { return 201; }")
        stopifnot(f() == 201)
        cat(count("compiles"))
    """
    assert [r(script), r(script)] == ["1", "0"]
    assert os.listdir(tmp_path / "kept") == ["clinch"]


def test_the_page(r):
    [(code, output)] = re.findall(r"^```r unchecked\n(.*?)^```\n\n```text\n(.*?)^```",
                                  PAGE.read_text(), re.M | re.S)
    assert r(code) == output


def test_templates_of_tmb(r):
    if not r_has("TMB"):
        pytest.skip("TMB is not installed")
    r(r"""
        library(TMB)
        options(clinch.tier = "fast")
        text <- "#include <TMB.hpp>
            template <class Type> Type objective_function<Type>::operator()() {
              DATA_VECTOR(x); DATA_VECTOR(y);
              PARAMETER(a); PARAMETER(b); PARAMETER(logs);
              return FACTOR * -sum(dnorm(y, a + b * x, exp(logs), true));
            }"
        made <- function(factor) {
            writeLines(sub("FACTOR", factor, text), "line.cpp")
            compile_tmb("line.cpp")
            dyn.load(dynlib("line"))
            set.seed(1); x <- 1:20; y <<- 2 + 3 * x + rnorm(20)
            MakeADFun(list(x = as.double(x), y = y), list(a = 0, b = 0, logs = 0),
                      DLL = "line", silent = TRUE)
        }
        one <- made("1.0")
        fit <- nlminb(one$par, one$fn, one$gr)
        stopifnot(all.equal(unname(fit$par[1:2]), unname(coef(lm(y ~ seq_along(y)))),
                            tolerance = 1e-5))
        one <- one$fn(c(1, 1, 1))
        dyn.unload(dynlib("line"))
        two <- made("2.0")
        stopifnot(all.equal(two$fn(c(1, 1, 1)), 2 * one))
        writeLines("#include <TMB.hpp>\nint x = y;", "wrong.cpp")
        stopifnot(grepl("wrong.cpp:2:9: error", message_of(compile_tmb("wrong.cpp"))))
    """)
