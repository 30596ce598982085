// Who may do what with a comment on any subject.
import type { Actor } from '../subject.ts'

export const commentRules: { permissions: Readonly<Record<'edit' | 'delete', readonly Actor[]>> } = {
  permissions: { edit: ['author', 'moderator'], delete: ['author', 'moderator'] },
}
