// The whole API as data: every contract, under the name its operations are called by. Pure, so that a browser can load it.
import { address } from './accounts/address-contract.ts'
import { chatLinks } from './accounts/chat/contract.ts'
import { deletion } from './accounts/deletion-contract.ts'
import { dataExports } from './accounts/export-contract.ts'
import { external } from './accounts/external/contract.ts'
import { feeds } from './accounts/feeds-contract.ts'
import { invitation } from './accounts/invitation-contract.ts'
import { passkeys } from './accounts/passkeys/contract.ts'
import { reauthentication } from './accounts/reauthentication-contract.ts'
import { sessions } from './accounts/sessions-contract.ts'
import { setup } from './accounts/setup/contract.ts'
import { challenges } from './accounts/sign-in/challenge-contract.ts'
import { accounts, language, usage } from './accounts/sign-in/contract.ts'
import { admin, webhooks } from './community/admin/contract.ts'
import { invitationLinks } from './community/admin/invitation-links-contract.ts'
import { invitations } from './community/admin/invitations-contract.ts'
import { overview } from './community/admin/overview-contract.ts'
import { assistant } from './community/assistant/contract.ts'
import { blog } from './community/blog/contract.ts'
import { bounces } from './community/bounces/contract.ts'
import { bugs } from './community/bugs/contract.ts'
import { changelog } from './community/changelog/contract.ts'
import { features } from './community/features/contract.ts'
import { importClaims } from './community/imports/claims-contract.ts'
import { imports } from './community/imports/contract.ts'
import { orgs } from './community/orgs/contract.ts'
import { orgImages } from './community/orgs/images/contract.ts'
import { orgRuns } from './community/orgs/runs/contract.ts'
import { posts } from './community/posts/contract.ts'
import { avatars, profile } from './community/profile/contract.ts'
import { samples } from './community/samples/contract.ts'
import { scimTokens } from './community/scim/contract.ts'
import { settings } from './community/settings/contract.ts'
import { trackers } from './community/trackers/contract.ts'
import { trackerAccounts } from './community/trackers/own-contract.ts'
import { widget } from './community/widget/contract.ts'
import { agents } from './content/agents/contract.ts'
import { community } from './content/area.ts'
import { boards } from './content/board-access/contract.ts'
import { comments } from './content/comments/contract.ts'
import { drafts } from './content/drafts/contract.ts'
import { feed } from './content/feed/contract.ts'
import { guestDigest } from './content/guest-digest/contract.ts'
import { labels } from './content/labelled/contract.ts'
import { members } from './content/members/contract.ts'
import { news } from './content/news/contract.ts'
import { notifications } from './content/notifications/contract.ts'
import { follows } from './content/notifications/follow-contract.ts'
import { pendingActs } from './content/pending/contract.ts'
import { push } from './content/push/contract.ts'
import { references } from './content/references/contract.ts'
import { moderation, reports } from './content/reports/contract.ts'
import { savedFilters } from './content/saved/contract.ts'
import { search } from './content/search/contract.ts'
import { suggestions } from './content/suggestions/contract.ts'
import { textImages } from './content/text-images/contract.ts'
import { threads } from './content/threads/contract.ts'
import type { AuditAction } from './contract/audit.ts'
import type { Area, Contract } from './contract/operation.ts'
import { account } from './identity/area.ts'
import * as identityActions from './identity/audit-actions.ts'
import { library } from './library/contract.ts'
import { itemImports } from './library/importing/contract.ts'
import { library as libraryArea, mcpRegistry } from './library/items/area.ts'
import { trustedPublishers } from './library/publishers/contract.ts'
import { transparency } from './library/statements/contract.ts'
import { publisherKeys } from './library/statements/keys-contract.ts'
import { teams } from './library/teams/contract.ts'
import { itemWebhooks } from './library/webhooks-contract.ts'
import { oauth } from './oauth/area.ts'
import { claims } from './oauth/claim-contract.ts'
import { personalTokens } from './oauth/personal-tokens/contract.ts'
import { secretClients } from './oauth/secret-clients/contract.ts'
import { signIns } from './oauth/sign-ins-contract.ts'
import { workloads } from './oauth/workloads/contract.ts'

export const api = {
  accounts,
  challenges,
  passkeys,
  external,
  reauthentication,
  sessions,
  usage,
  language,
  deletion,
  dataExports,
  feeds,
  chatLinks,
  push,
  guestDigest,
  address,
  invitation,
  setup,
  claims,
  signIns,
  personalTokens,
  workloads,
  pendingActs,
  feed,
  search,
  agents,
  bugs,
  labels,
  features,
  posts,
  changelog,
  blog,
  orgs,
  orgImages,
  orgRuns,
  comments,
  threads,
  boards,
  members,
  savedFilters,
  suggestions,
  drafts,
  textImages,
  references,
  assistant,
  notifications,
  news,
  follows,
  profile,
  avatars,
  admin,
  overview,
  invitations,
  invitationLinks,
  scimTokens,
  secretClients,
  widget,
  bounces,
  settings,
  samples,
  imports,
  trackers,
  trackerAccounts,
  importClaims,
  reports,
  moderation,
  webhooks,
  library,
  itemImports,
  teams,
  transparency,
  publisherKeys,
  trustedPublishers,
  itemWebhooks,
}
export type Api = typeof api

/** What each part of the API is about. */
export const about: Readonly<Record<keyof Api, string>> = {
  accounts: 'Signing up and in, for the site',
  challenges: 'Proofs of work, which a server may ask new accounts for',
  passkeys: 'Passkeys (WebAuthn): registering them, and signing in with one',
  usage: 'What an account has used up of its budgets',
  language: 'The language of an account',
  external: 'Signing in with an account at the provider that the operator set (OpenID Connect)',
  reauthentication: 'Using a credential again, before credentials are changed',
  sessions: 'The browsers that are signed in to an account, and ending them',
  deletion: 'Deleting an account, and keeping it after all',
  dataExports: 'Everything an account made, as an archive',
  chatLinks: 'Users of chats who act for an account by the slash command',
  push: 'The browsers to which notifications of an account are pushed',
  guestDigest: 'What is new, mailed once a day to people without an account',
  feeds: 'The key with which programs read feeds for an account',
  address: 'Changing the address of an account, and undoing that',
  invitation: 'Using a link that invites',
  setup: 'The set-up of a new instance in the browser, with the link that its start prints',
  claims: 'Tokens for agents without a browser, by a mailed code',
  signIns: 'Apps and agents that are signed in to an account, and ending them',
  workloads: 'Programs that sign in with ID tokens of their CI or cloud, without a secret',
  personalTokens: 'Personal access tokens for scripts: making, listing and revoking them',
  pendingActs: 'Writes of agents that wait for the yes of their account',
  feed: 'Recent activity of every kind',
  search: 'Everything that everyone may see, found by words',
  agents: 'Agents that wrote something, and what each of them wrote',
  bugs: 'Bugs with their status, severity, labels, votes and comments',
  labels: 'Labels that bugs carry',
  assistant: 'A machine of the operator that answers questions about threads',
  features: 'Feature requests with their votes and comments',
  posts: 'Posts of members, in Markdown, with votes and comments',
  changelog: 'What was released, and what it closed',
  blog: "The operator's blog and its comments",
  orgs: 'The gallery of orgs: agents and their roles as files',
  orgImages: 'Pictures of orgs',
  orgRuns: 'What people got out of an org, as files',
  comments: 'A comment by itself, the comments of a member, and reactions',
  suggestions: 'What agents suggest for things, for people to accept or refuse',
  boards: 'Boards: places of their own for bugs, feature requests, posts and releases',
  threads: 'Pins, locks, solutions, assignees and due days of bugs, feature requests and posts',
  savedFilters: 'Lists with filters that a member saved',
  textImages: 'Pictures in texts',
  drafts: 'What a member typed into forms of the site and did not send yet',
  members: 'Who is here, and how much there is of everything',
  references: 'What the numbers and names in a text refer to',
  notifications: 'The inbox of notifications, and its settings',
  news: 'What is new for a member and their agent, in one short answer',
  follows: 'Following things and members, and muting them',
  profile: 'Who one is, and who others are',
  avatars: 'Pictures of members',
  overview: 'What an operator wants to know, in one answer',
  admin: 'Accounts, roles, blocks and the audit log',
  invitations: 'Invitations to sign up, where not every address may',
  invitationLinks: 'Links that invite, with a role',
  secretClients: 'Apps with a secret, for the assertions of an identity provider (ID-JAG)',
  scimTokens: 'Tokens by which a company provisions accounts (SCIM 2.0)',
  widget: 'The widget on other sites: its keys, who its people are, and reports of guests',
  bounces: 'Addresses to which notifications are not mailed',
  settings: 'Settings that admins change while the server runs',
  samples: 'The sample data of the set-up',
  imports: 'Imports from other trackers',
  trackers: 'Two ways with other trackers: links of boards with repositories',
  trackerAccounts: 'Who I am at other trackers: proved by a code that is written there',
  importClaims: 'What was imported of me',
  webhooks: 'Webhooks for events of the community and the library',
  reports: 'Reporting things and members to the moderators',
  moderation: 'Cases of the moderators, notices and appeals, and the public log',
  library: 'Workflows, automations and orgs in versions',
  itemImports: 'Many items at once, of an archive',
  teams: 'Groups of members that own library items',
  publisherKeys: 'Keys with which publishers sign their versions',
  trustedPublishers: 'CI identities that publish items without a stored secret',
  transparency: 'Signed statements of versions, and the log of everything public in the library',
  itemWebhooks: 'Webhooks for events of library items',
}

/** The areas of the API: the first whose paths match speaks. */
export const areas: readonly Area[] = [oauth, account, mcpRegistry, libraryArea, community]
export const defaultArea: Area = community

/** Every action of the audit log, by its name: those of operations, and those of endpoints and the command line. */
export const auditActions: ReadonlyMap<string, AuditAction> = new Map(
  [
    ...Object.values<Contract>(api).flatMap((contract) => Object.values(contract).flatMap(({ audit = [] }) => audit)),
    ...Object.values(identityActions).flatMap((actions) => Object.values<AuditAction>(actions)),
  ].map((action) => [action.name, action]),
)

/** The area that renders errors of a path; undefined for pages. */
export const areaOrPage = (path: string): Area | undefined => areas.find(({ paths }) => paths.test(path))

/** The area of a path below /api. */
export const areaOf = (path: string): Area => areaOrPage(path) ?? defaultArea
