// Permissions of versions, in words for the person who installs them.
import type { Answer } from '#lib/api.ts'

export type Permission = Answer<'library.contents'>['may_do'][number]

/** What stands before the name of a permission. */
export const permissionWords = {
  connector: 'Connector',
  download: 'Download',
  model: 'Model',
  schedule: 'Schedule',
  script: 'Script',
  secret: 'Secret',
  site: 'Website',
  step: 'Step',
} as const satisfies Record<Permission['type'], string>
