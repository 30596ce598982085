// What moderators can do, and to which kinds of things: for the application, and for the operator at the command line.
import { changeBlock, lockSubordinate } from './community/admin/blocking.ts'
import { commentable as blogPosts } from './community/blog/handlers.ts'
import { store as bugStore } from './community/bugs/handlers.ts'
import { store as releaseStore } from './community/changelog/handlers.ts'
import { store as featureStore } from './community/features/handlers.ts'
import { orgHiding } from './community/orgs/orgs.ts'
import { store as orgStore } from './community/orgs/queries.ts'
import { runHiding } from './community/orgs/runs/hiding.ts'
import { store as postStore } from './community/posts/handlers.ts'
import { hidingOfComments } from './content/comments/hiding.ts'
import type { HideableKind } from './content/hiding/hiding.ts'
import { hidingOf } from './content/hiding/subject-hiding.ts'
import type { Powers } from './content/reports/deciding.ts'
import { commentable as items } from './library/discussing.ts'
import * as libraryFront from './library/library.ts'
import { teamHiding } from './library/teams/hiding.ts'

/** Everything that can be commented on. */
export const commentables = [bugStore, featureStore, postStore, releaseStore, orgStore, items, blogPosts]

/** Every kind of thing that can be hidden; the order is that in which those of an account are. */
export const hidings: readonly HideableKind[] = [
  ...[hidingOf(bugStore), hidingOf(featureStore), hidingOf(postStore), hidingOf(releaseStore), orgHiding(libraryFront)],
  ...[runHiding, libraryFront.itemHiding, teamHiding, hidingOfComments(commentables)],
]

/** What moderators can do. */
export const powers: Powers = {
  hidings: new Map(hidings.map((hiding) => [hiding.type, hiding])),
  changeBlock,
  lockSubordinate,
}
