// Names what is made from the migrations, so that it is made again when one of them changes.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MIGRATIONS = join(import.meta.dirname, '../migrations')

/** Twelve characters that change with any file of the migrations, and with their order. */
export function hashOfMigrations(): string {
  const hash = createHash('sha256')
  for (const file of ['../src/database/migrate.ts', ...readdirSync(MIGRATIONS).sort()])
    hash.update(readFileSync(join(MIGRATIONS, file)))
  return hash.digest('hex').slice(0, 12)
}
