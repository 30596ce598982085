// Permissions of versions; their words are in the catalogue: `library.permission.<type>`.
import type { Answer } from '#lib/api.ts'

export type Permission = Answer<'library.contents'>['may_do'][number]
