// Names what is made from the migrations, so that it is made again when one of them changes; for moved databases (moved.ts) also when the
// code of a move does.
import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MIGRATIONS = join(import.meta.dirname, '../migrations')
const OPERATOR = join(import.meta.dirname, '../src/operator')

/** Whether tests run on databases that were moved. */
export const IS_MOVED = process.env['TEST_MOVED'] === '1'

/** Twelve characters that change with any file of the migrations, and with their order. */
export function hashOfMigrations(): string {
  const hash = createHash('sha256')
  const ours = globSync('**/*.ts', { cwd: MIGRATIONS }).sort()
  for (const file of ['../src/database/migrate.ts', '../src/database/migrations.ts', ...ours])
    hash.update(readFileSync(join(MIGRATIONS, file)))
  if (IS_MOVED) for (const file of readdirSync(OPERATOR).sort()) hash.update(readFileSync(join(OPERATOR, file)))
  return hash.digest('hex').slice(0, 12)
}
