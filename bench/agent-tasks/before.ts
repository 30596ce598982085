// Measured once, with o200k_base, before there was a short list: 33 tools with the schemas of their answers, on the same tasks (README.md).

export const BEFORE = {
  /** Of the list of tools. */
  list: 13_191,
  calls: 12_942,
  /** Of 25 tasks, each with the list. */
  whole: 342_717,
}
