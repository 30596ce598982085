// Which engine the address of a database names.

/** Whether it is `postgres://...` or `postgresql://...`; any other address is the path of a SQLite file. */
export const isPostgres = (url: string): boolean => /^postgres(ql)?:/.test(url)
