// Every step of the erasure of an account, in order. test/erasure-declared.test.ts compares them with the database: a column that names
// accounts needs a step that clears it.

import { commentable as blogPosts } from './community/blog/handlers.ts'
import { store as bugStore, mergeable as mergeableBugs } from './community/bugs/handlers.ts'
import { store as releaseStore } from './community/changelog/handlers.ts'
import { store as featureStore, mergeable as mergeableFeatures } from './community/features/handlers.ts'
import { votableIn } from './community/orgs/discussing.ts'
import { orgErasure } from './community/orgs/erasure.ts'
import { store as orgStore } from './community/orgs/queries.ts'
import { mergeable as mergeablePosts, store as postStore } from './community/posts/handlers.ts'
import { commentErasure, reactionErasure } from './content/comments/erasure.ts'
import {
  draftErasure,
  leftoverErasure,
  pendingErasure,
  revisionErasure,
  savedErasure,
  statusChangeErasure,
  webhookErasure,
} from './content/erasure.ts'
import { mergedErasure } from './content/merging/erasure.ts'
import { notificationErasure } from './content/notifications/erasure-queries.ts'
import { reportErasure } from './content/reports/erasure.ts'
import { thingErasure } from './content/subject-erasure.ts'
import { textImageErasure } from './content/text-images/clean-up.ts'
import { voteErasure } from './content/votes/erasure.ts'
import { credentialErasure, type ErasureStep } from './identity/erasure.ts'
import { allItems } from './library/discussing.ts'
import {
  invitationErasure,
  itemErasure,
  keyErasure,
  membershipErasure,
  slugErasure,
  statementErasure,
  teamErasure,
  uploadErasure,
} from './library/erasure.ts'
import * as library from './library/library.ts'

const orgs = votableIn(library)

export const erasureSteps: readonly ErasureStep[] = [
  credentialErasure,
  voteErasure([bugStore, featureStore, postStore, releaseStore, orgs, allItems]),
  reactionErasure,
  // Comments go before the things they are on, so that the remaining comments are those of others.
  commentErasure([bugStore, featureStore, postStore, releaseStore, orgStore, allItems, blogPosts]),
  thingErasure(bugStore, ['title', 'description']),
  thingErasure(featureStore, ['title', 'description']),
  thingErasure(postStore, ['title', 'body']),
  thingErasure(releaseStore, ['title', 'body']),
  mergedErasure([mergeableBugs, mergeableFeatures, mergeablePosts]),
  ...orgErasure(library),
  itemErasure,
  textImageErasure,
  revisionErasure,
  statusChangeErasure,
  pendingErasure,
  ...notificationErasure,
  ...reportErasure,
  ...webhookErasure,
  savedErasure,
  draftErasure,
  statementErasure,
  keyErasure,
  uploadErasure,
  slugErasure,
  membershipErasure,
  teamErasure,
  invitationErasure,
  ...leftoverErasure,
]
