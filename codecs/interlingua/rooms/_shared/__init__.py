"""Code that several rooms share: schemas, media, names, errors, rules, and both halves of streaming."""
