// Every feature, listed once. The order is that in which the things of an account are hidden and erased; a feature that needs what another
// one adds comes after it. `api.ts` lists their contracts, and `subjects.ts` their subjects.

import { accountsFeature } from './accounts/feature.ts'
import { adminFeature } from './community/admin/feature.ts'
import { assistantFeature } from './community/assistant/feature.ts'
import { blogFeature } from './community/blog/feature.ts'
import { bouncesFeature } from './community/bounces/feature.ts'
import { bugsFeature } from './community/bugs/feature.ts'
import { changelogFeature } from './community/changelog/feature.ts'
import { requestsFeature } from './community/features/feature.ts'
import { importsFeature } from './community/imports/feature.ts'
import { orgsFeature } from './community/orgs/feature.ts'
import { postsFeature } from './community/posts/feature.ts'
import { profileFeature } from './community/profile/feature.ts'
import { samplesFeature } from './community/samples/feature.ts'
import { scimFeature } from './community/scim/feature.ts'
import { settingsFeature } from './community/settings/feature.ts'
import { trackersFeature } from './community/trackers/feature.ts'
import { widgetFeature } from './community/widget/feature.ts'
import { agentsFeature } from './content/agents/feature.ts'
import { boardsFeature } from './content/boards/feature.ts'
import { classifierFeature } from './content/classifier/feature.ts'
import { commentsFeature } from './content/comments/feature.ts'
import { deliveryFeature } from './content/delivery/feature.ts'
import { draftsFeature } from './content/drafts/feature.ts'
import { editsFeature } from './content/edits/feature.ts'
import { feedFeature } from './content/feed/feature.ts'
import { floodsFeature } from './content/floods/feature.ts'
import { guestDigestFeature } from './content/guest-digest/feature.ts'
import { hidingFeature } from './content/hiding/feature.ts'
import { labelsFeature } from './content/labels/feature.ts'
import { mailRepliesFeature } from './content/mail-replies/feature.ts'
import { allOf, type Feature, type Things } from './content/manifest.ts'
import { membersFeature } from './content/members/feature.ts'
import { mergingFeature } from './content/merging/feature.ts'
import { newsFeature } from './content/news/feature.ts'
import { notificationsFeature } from './content/notifications/feature.ts'
import { pendingFeature } from './content/pending/feature.ts'
import { pushFeature } from './content/push/feature.ts'
import { referencesFeature } from './content/references/feature.ts'
import { reportsFeature } from './content/reports/feature.ts'
import { savedFeature } from './content/saved/feature.ts'
import { searchFeature } from './content/search/feature.ts'
import { suggestionsFeature } from './content/suggestions/feature.ts'
import { textImagesFeature } from './content/text-images/feature.ts'
import type { HideableKind } from './content/things.ts'
import { threadsFeature } from './content/threads/feature.ts'
import { trustFeature } from './content/trust/feature.ts'
import { votesFeature } from './content/votes/feature.ts'
import { webhooksFeature } from './content/webhooks/feature.ts'
import { libraryFeature } from './library/feature.ts'
import { itemImportsFeature } from './library/importing/feature.ts'
import * as libraryFront from './library/library.ts'
import { ownersFeature } from './library/owners/feature.ts'
import { publishersFeature } from './library/publishers/feature.ts'
import { statementsFeature } from './library/statements/feature.ts'
import { teamsFeature } from './library/teams/feature.ts'
import { oauthFeature } from './oauth/server/feature.ts'

/** Each with its own type, which says what it has handlers of. */
export const allFeatures = [
  accountsFeature,
  oauthFeature,
  votesFeature,
  bugsFeature,
  requestsFeature,
  postsFeature,
  changelogFeature,
  mergingFeature,
  orgsFeature(libraryFront),
  libraryFeature,
  blogFeature,
  textImagesFeature,
  editsFeature,
  pendingFeature,
  suggestionsFeature,
  deliveryFeature,
  notificationsFeature,
  pushFeature,
  guestDigestFeature,
  reportsFeature,
  hidingFeature,
  webhooksFeature,
  savedFeature,
  draftsFeature,
  statementsFeature,
  ownersFeature,
  commentsFeature,
  membersFeature,
  profileFeature,
  labelsFeature,
  teamsFeature,
  feedFeature,
  searchFeature,
  agentsFeature,
  newsFeature,
  referencesFeature,
  threadsFeature,
  trustFeature,
  floodsFeature,
  classifierFeature,
  boardsFeature,
  adminFeature,
  scimFeature,
  widgetFeature,
  settingsFeature,
  samplesFeature,
  importsFeature,
  assistantFeature,
  publishersFeature,
  mailRepliesFeature,
  bouncesFeature,
  trackersFeature,
  itemImportsFeature,
] as const satisfies readonly Feature[]

export const features: readonly Feature[] = [...allFeatures]

/** What can be done with the things of all features. */
export const things: Things = {
  commentables: allOf(features, 'commentables'),
  votables: allOf(features, 'votables'),
  mergeables: allOf(features, 'mergeables'),
  floodables: allOf(features, 'floodables'),
  releasings: allOf(features, 'releasings'),
  threads: allOf(features, 'threads'),
  boarded: allOf(features, 'boarded'),
}

/** Every kind of thing that can be hidden; the order is that in which those of an account are. */
export const hidings: readonly HideableKind[] = [
  ...features.flatMap((feature) => (typeof feature.hidings === 'function' ? [] : (feature.hidings ?? []))),
  ...features.flatMap((feature) => (typeof feature.hidings === 'function' ? feature.hidings(things) : [])),
]

/** Everything of an account, in the order in which it is hidden or shown. */
export const swept: readonly HideableKind[] = [
  ...features.flatMap(({ sweptFirst }) => sweptFirst ?? []),
  ...hidings,
  ...features.flatMap(({ sweptLast }) => sweptLast?.(things) ?? []),
]
