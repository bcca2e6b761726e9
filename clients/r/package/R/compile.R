# C and C++ text in, addresses for .C and .Call out.

# The glue's functions, and Rcpp's as they are called here.
.state <- new.env()

.onLoad <- function(libname, pkgname) {
  path <- getOption("clinch.library",
                    readLines(file.path(libname, pkgname, "library")))
  if (!file.exists(path))
    stop("Clinch's library for R is not at ", path,
         "; options(clinch.library = ) says where it is", call. = FALSE)
  dll <- base::dyn.load(path)
  .state$library <- path
  for (name in c("compile", "symbol", "count", "init"))
    .state[[name]] <- getNativeSymbolInfo(paste0("clinch_r_", name), dll)$address
}

# With Rcpp attached later, its functions would hide those of the same names here.
.onAttach <- function(libname, pkgname)
  setHook(packageEvent("Rcpp", "attach"),
          function(...) .place(.ours(), as.environment("package:Rcpp")))

.tiers <- c("fast", "default", "max")

# A request is what to compile: text, its name in messages, language, and options, a
# vector of strings whose names are those in the glue.
.compiled <- function(request, tier = getOption("clinch.tier", "default")) {
  tier <- match.arg(tier, .tiers)
  module <- .Call(.state$compile, request$name, request$text,
                  as.integer(request$language == "c++"), match(tier, .tiers) - 1L,
                  request$options)
  if (is.character(module)) {
    old <- options(warning.length = 8170) # R cuts what is longer.
    on.exit(options(old))
    stop(errorCondition(module, class = "clinch_error"))
  }
  structure(list(name = request$name, module = module), class = "clinch_code")
}

.symbol <- function(code, name) {
  found <- .Call(.state$symbol, unclass(code)$module, name)
  if (is.null(found))
    stop("no function '", name, "' in ", unclass(code)$name, call. = FALSE)
  found
}

#' Compiles C or C++. What `$` gives goes to .C, .Call and .External, and keeps the code.
compile <- function(text, language = c("c", "c++"), flags = character(),
                    tier = getOption("clinch.tier", "default"), name = "text") {
  text <- paste(c(text, ""), collapse = "\n")
  language <- match.arg(language)
  options <- c(include_dir = R.home("include"), .options_of(flags))
  .compiled(list(name = name, text = text, language = language, options = options),
            tier)
}

`$.clinch_code` <- function(x, name) .symbol(x, name)

print.clinch_code <- function(x, ...)
  cat("<code of ", unclass(x)$name, ">\n", sep = "")
