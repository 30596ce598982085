// A library item as a subject. Votes and comments are the community's; its lists and pages are the library's own.

import { defineSubject } from '../../content/subject.ts'
import { auditActions } from '../../contract/audit.ts'
import { comments, follows, reports, votes } from '../../contract/capabilities.ts'
import { factsOf, itemKinds } from '../../contract/item-kinds.ts'

export const itemActions = auditActions('item', {
  update: 'Changed an item',
  delete: 'Deleted an item',
  yank: 'Yanked a version of an item, or took that back',
  'delete-version': 'Deleted a version of an item',
  deprecate: 'Deprecated an item, or took that back',
  rename: 'Renamed an item',
  invite: 'Invited to an item',
  join: 'Joined an item',
  change_role: 'Changed a role on an item',
  remove: 'Removed from an item',
  transfer: 'Took over an item',
})

export const item = defineSubject({
  type: 'item',
  one: 'an item',
  many: 'items',
  path: '/community/library',
  // The gallery's kind is the gallery's own subject.
  kinds: itemKinds.filter((kind) => !factsOf(kind).gallery).map((kind) => ({ kind, icon: factsOf(kind).icon })),
  table: 'libraryItem',
  author: 'ownerId',
  can: [votes, comments('itemId'), follows, reports],
  tools: {
    vote: { name: 'vote_library_item', title: 'Vote on a library item' },
    comment: { name: 'comment_library_item' },
  },
  permissions: { edit: ['author', 'admin'], delete: ['author', 'admin'], manage: ['author'], webhooks: ['author'] },
})
