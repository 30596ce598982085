// Imported by scripts that open no database: their figures are the same on either engine and are printed with SQLite's.
import { engine } from './options.ts'

if (engine !== 'sqlite') {
  console.log('  needs no database: the figures are those of `npm run bench`')
  process.exit()
}
