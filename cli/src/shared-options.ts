// The options of every command.
import type { Options } from './command.ts'

export const shared: Options = {
  server: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
}
