"""Breaking the code on purpose, one committed edit a requirement, to see whether the tests of it notice."""
