# TMB's compile(), with what starts R CMD SHLIB replaced. TMB and R know a template by the
# name of a loaded library: one of that name is loaded which has nothing to say, and the
# template's code registers its functions in it.

compile_tmb <- function(file, ...) {
  ours <- new.env(parent = asNamespace("TMB"))
  ours$compile <- TMB::compile
  environment(ours$compile) <- ours
  ours$.shlib_internal <- .template_as_ordered
  ours$compile(file, ..., libtmb = FALSE)
}

# At the place of the shared library stands what is to be compiled.
.template_as_ordered <- function(file, ...) {
  variables <- readLines(Sys.getenv("R_MAKEVARS_USER"))
  variables <- grep("^(PKG_|CLINK_)?(CPP|CXX)FLAGS=", variables, value = TRUE)
  flags <- .words(.expanded(paste(sub("^[^=]*=", "", variables), collapse = " ")))
  # All templates have the same functions, so that one prefix serves them.
  flags <- sub("=R_(init|unload)_.*", "=R_\\1_template", flags)
  request <- .with_prefix(list(name = normalizePath(file), text = readLines(file),
                               language = "c++"),
                          c(.standard(), "-w", "-DNDEBUG", flags))
  .compiled(request)
  saveRDS(request, TMB::dynlib(sub("[.][^.]*$", "", file)), compress = FALSE)
  0L
}

.carrier <- function(x) file.path(tempdir(), "clinch", basename(x))

.is_request <- function(x)
  file.exists(x) && identical(readBin(x, "raw", 2L), charToRaw("X\n"))

#' As R's, and for what compile_tmb() made.
dyn.load <- function(x, ...) {
  if (!.is_request(x))
    return(base::dyn.load(x, ...))
  code <- .loaded(x)
  dir.create(dirname(.carrier(x)), showWarnings = FALSE)
  file.copy(.state$library, .carrier(x), overwrite = TRUE)
  library <- base::dyn.load(.carrier(x))
  .Call(.state$init, .symbol(code, "R_init_template"), library[["info"]])
  invisible(library)
}

#' As R's, and for what compile_tmb() made.
dyn.unload <- function(x)
  base::dyn.unload(if (.is_request(x)) .carrier(x) else x)
