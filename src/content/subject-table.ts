// The table of a subject, of which only the declaration knows the name.

/** For Kysely every subject has the table of bugs: all have the columns that are used by its name. */
export const tableOf = ({ table }: { table?: string }) => table as 'bug'
