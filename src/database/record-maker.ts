// Rows of SQLite as records.

/**
 * The objects of SQLite's binding are dictionaries without a prototype: copying and serialising them takes several times as long as
 * reading the row. A literal with all columns gives ordinary objects.
 */
export function recordMaker(columns: string[]): (row: object) => never {
  const fields = columns.map((name, index) => `${JSON.stringify(name)}: row[${index}]`)
  return new Function('row', `return { ${fields.join(', ')} }`) as (row: object) => never
}
