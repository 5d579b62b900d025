library(testthat)
library(eagercore)

test_check("eagercore")
