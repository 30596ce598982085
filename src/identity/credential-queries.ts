// What of an account has ended at its one moment (credentials.ts), as queries see it.
import { expressionBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/**
 * Whether sessions and grants were opened since the account last ended all of them. Every query that reads such a row as a credential has
 * this condition: a row that is left over, for any reason, authorizes no caller.
 */
export function standing(table: 'session' | 'grant') {
  const e = expressionBuilder<Database>()
  const ended = e
    .selectFrom('user as owner')
    .select('owner.id')
    .where('owner.id', '=', sql.ref<string>(`${table}.userId`))
    .where('owner.credentialsValidFrom', '>', sql.ref<string>(`${table}.createdAt`))
  return e.not(e.exists(ended))
}
