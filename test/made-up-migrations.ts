// A migration that no release has, for tests of what runs migrations: every database that this process made before lacks it.
import type { TestContext } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { migrations } from '../src/database/migrations.ts'

export const MADE_UP = '9998-made-up'

/** Is to be run until the test ends; another column of drafts unless told otherwise. */
export function withMadeUp(
  t: Pick<TestContext, 'after'>,
  statement = 'alter table "formDraft" add column "madeUp" text',
) {
  migrations[MADE_UP] = async () => ({
    async up(db: Kysely<never>) {
      await sql.raw(statement).execute(db)
    },
  })
  t.after(() => {
    delete migrations[MADE_UP]
  })
}
