# Rcpp's functions, which write C++ around a user's and a script in R, with what starts
# and loads programs replaced: text and script are used as they are.

sourceCpp <- function(...) .rcpp()$sourceCpp(...)

cppFunction <- function(code, ..., includes = character(), env = parent.frame())
  # In messages the first line of the code is line 1.
  .rcpp()$cppFunction(code, ..., includes = c(includes, "#line 0 \"code\""), env = env)

evalCpp <- function(...) .rcpp()$evalCpp(...)

.ours <- function()
  list(sourceCpp = sourceCpp, cppFunction = cppFunction, evalCpp = evalCpp)

.place <- function(functions, where)
  for (name in names(functions)) {
    unlockBinding(name, where)
    assign(name, functions[[name]], where)
    lockBinding(name, where)
  }

#' Makes Rcpp's own functions these, also for packages and documents that name Rcpp.
use_for_rcpp <- function(use = TRUE) {
  theirs <- .rcpp()$.theirs
  functions <- if (use) .ours() else theirs
  .place(functions, asNamespace("Rcpp"))
  if ("package:Rcpp" %in% search())
    .place(functions, as.environment("package:Rcpp"))
  invisible(use)
}

# The functions of Rcpp in an environment of their own.
.rcpp <- function() {
  if (is.null(.state$rcpp)) {
    space <- asNamespace("Rcpp")
    ours <- new.env(parent = space)
    ours$.theirs <- mget(names(.ours()), space)
    for (name in c(names(.ours()), "sourceCppFunction", "Module", "populate")) {
      ours[[name]] <- space[[name]]
      environment(ours[[name]]) <- ours
    }
    ours$system <- .compiled_as_ordered
    ours$source <- .sourced
    ours$dyn.load <- .loaded
    ours$dyn.unload <- function(x) NULL
    ours$getNativeSymbolInfo <- .symbol_info
    ours$.showBuildFailureDiagnostics <- function() NULL
    ours$.sourceCppPlatformCacheDir <- function(cacheDir)
      space$.sourceCppPlatformCacheDir(.cache_folder(cacheDir))
    .state$rcpp <- ours
  }
  .state$rcpp
}

# In a folder that is kept, Rcpp without this package must not find these. A temporary one
# is that of what forks too, and Rcpp writes its list of a folder in place.
.cache_folder <- function(given) {
  own <- if (given == tempdir()) Sys.getpid() else ""
  file.path(given, paste0("clinch", own))
}

# In place of a compiler's process: at the place of the shared library stands what is to
# be compiled. Found in memory or on disk when that is loaded.
.compiled_as_ordered <- function(command, intern) {
  order <- parent.frame()
  request <- .request(order$context, order$fromCode)
  .compiled(request)
  saveRDS(request, order$context$dynlibFilename, compress = FALSE)
  if (intern) character() else 0L
}

.request <- function(context, from_code) {
  flags <- c(.standard(), "-w", "-DNDEBUG")
  for (name in c("CLINK_CPPFLAGS", "PKG_CPPFLAGS", "PKG_CXXFLAGS", "PKG_LIBS"))
    flags <- c(flags, .words(.expanded(Sys.getenv(name))))
  # The folder of a text without a file is another one in each process.
  if (from_code)
    flags <- flags[flags != paste0("-I", dirname(context$cppSourcePath))]
  lines <- c(readLines(context$cppSourceFilename),
             sprintf("#include \"%s\"", context$cppDependencySourcePaths))
  # So that the cache knows the text in another session.
  lines <- gsub(paste0("\\b", context$contextId, "_"), "sourceCpp_", lines)
  .with_prefix(list(name = if (from_code) "code" else context$cppSourcePath, text = lines,
                    language = "c++"), flags)
}

# Completes a request: its text in lines, without the prefix, and its options.
.with_prefix <- function(request, flags) {
  options <- c(include_dir = R.home("include"), .options_of(flags))
  opening <- .opening(request$text, options[names(options) == "include_dir"])
  request$text[opening$at] <- ""
  request$text <- paste(c(request$text, ""), collapse = "\n")
  request$options <- c(prefix = paste(c(opening$text, ""), collapse = "\n"), options)
  request
}

# The directives before anything else, up to the last header of a package, are
# precompiled.
.opening <- function(lines, folders) {
  at <- last <- integer()
  comment <- FALSE
  for (i in seq_along(lines)) {
    line <- trimws(lines[[i]])
    if (comment || startsWith(line, "/*")) {
      comment <- !grepl("*/", line, fixed = TRUE)
      if (!comment && !endsWith(line, "*/"))
        break
    } else if (grepl("^#[ \t]*(include[ \t]*<|define|undef)", line) &&
               !grepl("\\\\$|/\\*", line)) {
      at <- c(at, i)
      header <- sub("^#[ \t]*include[ \t]*<([^>]*)>.*", "\\1", line)
      if (any(file.exists(file.path(folders[-1], header))))
        last <- at
    } else if (nzchar(line) && !startsWith(line, "//"))
      break
  }
  list(at = last, text = lines[last])
}

.sourced <- function(file, local, ...) {
  if (!is.character(file)) # R code of the user's, in a comment.
    return(source(file, local = local, ...))
  for (one in parse(file, keep.source = FALSE))
    eval(.directed(one), local)
}

# Makes an expression of Rcpp's script call the functions here.
.directed <- function(one) {
  if (!is.call(one))
    return(one)
  head <- one[[1]]
  if (identical(head, quote(library)))
    return(NULL)
  if (as.character(head)[[1]] %in% c("::", ":::"))
    head <- head[[3]]
  if (as.character(head)[[1]] %in% c("dyn.load", "sourceCppFunction", "Module", "populate"))
    one[[1]] <- .rcpp()[[as.character(head)]]
  as.call(lapply(one, .directed))
}

.loaded <- function(path)
  structure(.compiled(readRDS(path)), class = c("clinch_code", "DLLInfo"))

.symbol_info <- function(name, PACKAGE, ...) {
  if (!inherits(PACKAGE, "clinch_code"))
    return(getNativeSymbolInfo(name, PACKAGE, ...))
  address <- .symbol(PACKAGE, sub("^sourceCpp_[0-9]+_", "sourceCpp_", name))
  structure(list(name = name, address = address, dll = PACKAGE),
            class = "NativeSymbolInfo")
}
