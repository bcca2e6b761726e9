# Flags as make and a shell would give them to a compiler.

.makeconf <- function() {
  if (is.null(.state$makeconf)) {
    lines <- readLines(file.path(paste0(R.home("etc"), .Platform$r_arch), "Makeconf"))
    lines <- grep("^[A-Za-z0-9_]+ *=", lines, value = TRUE)
    found <- trimws(sub("^[^=]*=", "", lines))
    names(found) <- sub(" *=.*", "", lines)
    # Which libraries those are, R knows; a linker's names for them need not be there.
    found["BLAS_LIBS"] <- extSoftVersion()["BLAS"]
    found["LAPACK_LIBS"] <- La_library()
    found[c("FLIBS", "LIBR")] <- ""
    .state$makeconf <- found
  }
  .state$makeconf
}

# Puts values for make's $(NAME).
.expanded <- function(text) {
  conf <- .makeconf()
  repeat {
    at <- regexpr("\\$[({][A-Za-z0-9_]+[)}]", text)
    if (at < 0)
      return(text)
    found <- regmatches(text, at)
    name <- substr(found, 3, nchar(found) - 1)
    regmatches(text, at) <- if (name %in% names(conf)) conf[[name]] else Sys.getenv(name)
  }
}

# Splits as a shell does.
.words <- function(text) {
  word <- "([^[:space:]\"']|\"[^\"]*\"|'[^']*')+"
  gsub("[\"']", "", regmatches(text, gregexpr(word, text))[[1]])
}

# Returns the options that flags name. Folders of packages' headers are the prefix's too.
.options_of <- function(flags) {
  flags <- as.character(flags)
  kinds <- c("-I" = "include_dir", "-l" = "library", "-L" = "library_dir",
             "-D" = "define")
  apart <- which(flags %in% names(kinds))
  flags[apart] <- paste0(flags[apart], flags[apart + 1])
  flags <- flags[setdiff(seq_along(flags), apart + 1)]
  kind <- unname(kinds[substr(flags, 1, 2)])
  value <- as.character(ifelse(is.na(kind), flags, substring(flags, 3)))
  kind[is.na(kind)] <- ifelse(startsWith(flags, "/"), "library", "flag")[is.na(kind)]
  folder <- kind %in% c("include_dir", "library_dir")
  value[folder] <- normalizePath(value[folder], mustWork = FALSE)
  own <- kind == "include_dir" & !dirname(dirname(value)) %in% normalizePath(.libPaths())
  value[own] <- paste0("-I", value[own])
  kind[own] <- "flag"
  names(value) <- kind
  value[!folder | dir.exists(sub("^-I", "", value))]
}

# Returns the -std= that R would compile C++ with.
.standard <- function() {
  conf <- .makeconf()
  for (version in c("98", "11", "14", "17", "20", "23", "26"))
    if (nzchar(Sys.getenv(paste0("USE_CXX", version))))
      return(conf[[paste0("CXX", version, "STD")]])
  grep("^-std=", .words(conf[["CXX"]]), value = TRUE)
}
