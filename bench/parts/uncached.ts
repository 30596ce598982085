// A database that keeps nothing of what it read.
import type { Db } from '../../src/database/schema.ts'

/** The database without the rows that are kept for the next who asks: each reading is one. */
export function uncached(db: Db): Db {
  const executeQuery: Db['executeQuery'] = (query) => db.executeQuery({ ...query, cached: undefined } as never)
  return new Proxy(db, {
    get(target, name) {
      if (name === 'executeQuery') return executeQuery
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
