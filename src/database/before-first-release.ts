// The migrations from before 0.1.0, which are one now (migrations/0001-start.ts): the same schema, to the last index. A database that has
// exactly these goes on as one that has that one; any other from that time is refused, and nothing in it is changed.
import { sql } from 'kysely'
import { UNFINISHED_MOVE } from './applied.ts'
import type { Db } from './schema.ts'

/** What these migrations became. */
export const FIRST = '0001-start'

/** The last commit that has them. */
export const LAST_COMMIT_BEFORE = '05aab039'

export const migrationsBefore: readonly string[] = `
  0001-ground 0002-oauth 0003-community 0004-slugs 0005-library 0006-orgs 0007-passkeys 0008-walks 0009-newest-first
  0010-feed-by-type 0011-accounts-counted 0012-devices 0013-verified-by 0014-known-browsers 0015-stored-hashes
  0016-audit-chain 0017-stored-bytes 0018-bound-tokens 0021-short-lists 0022-field-names 0023-changes
  0024-blob-removals 0025-own-changes 0027-search 0028-talk 0029-edits 0030-notifications 0031-unsubscribe
  0032-hidden 0033-moderation 0034-erasure 0035-own-data 0036-merging 0037-releases 0038-webhooks
  0039-old-notifications 0040-row-ids 0041-item-totals 0042-search-build 0044-people 0045-hidden-runs
  0047-undoing-merges 0048-drafts 0049-search-of-merged 0050-owned-codes 0051-search-pages 0052-version-details
  0053-owners 0055-version-life 0056-downloads 0057-dependencies 0058-version-permissions 0059-version-scans 0061-log
  0062-statements 0063-device-codes 0064-teams 0066-uses 0067-use-filling 0068-idempotency 0071-via 0072-grant-life
  0073-bounds 0075-personal-tokens 0076-sign-up-invitations 0077-external-identities 0078-shown-teams
  0080-pending-acts 0085-trending 0086-members 0087-saved-filters 0091-form-drafts 0092-text-images 0094-language
  0095-label-descriptions 0096-pending-sizes 0101-credentials-valid-from 0102-code-requests 0103-taken-notifications
  0104-evidence 0116-stored-by-network 0121-gone-versions 0122-dependency-places 0131-named-files 0141-step-names
  0142-clock-doubt 0151-event-numbers 0161-jobs 0162-labels-of-features-and-posts 0163-settings 0165-feed-keys
  0166-external-groups 0167-setup 0168-week-figures 0175-threads 0178-suggestions 0179-boards 0180-webhook-boards
  0181-board-agents 0182-board-members 0183-inboxes-of-boards 0184-classifier 0185-assistant 0187-samples
  0188-shared-filters 0189-meanings 0190-classified-edits 0191-passkey-sessions 0192-invitation-links 0194-trust
  0195-floods 0198-used-proofs 0199-flood-targets 0201-trusted-publishers 0202-approvers 0203-staging
  0204-life-of-items 0206-outcomes 0207-item-rank 0208-feedback 0209-version-closes 0212-name-domains
  0213-event-subscriptions 0217-widget 0218-trackers 0220-workloads 0221-webhook-formats 0222-chat-links
  0224-mail-replies 0225-bounces 0226-helpers 0227-scim 0228-signals 0231-imports 0233-web-push 0234-guest-digest
  0235-import-claims 0236-tracker-accounts 0237-sign-in-strength 0238-signal-streams 0240-timelines
  0243-secret-clients 0244-device-strength 0245-told-reporters 0246-last-active 0247-visits-and-writers
`
  .trim()
  .split(/\s+/)

const isBefore = (name: string) => migrationsBefore.includes(name)

/** What a database that ran these migrations counts as having: one for those from before the first release, where it has them all. */
export function countedAs(applied: readonly string[]): readonly string[] {
  const isWhole = migrationsBefore.every((name) => applied.includes(name))
  return isWhole ? [FIRST, ...applied.filter((name) => !isBefore(name))] : applied
}

/** Throws for a database from before the first release that does not have exactly these migrations. */
export function refuseOlder(applied: readonly string[]): void {
  if (!applied.some(isBefore)) return
  const missing = migrationsBefore.filter((name) => !applied.includes(name))
  const unknown = applied.filter((name) => !isBefore(name) && name !== UNFINISHED_MOVE)
  if (missing.length + unknown.length === 0) return
  const found = [...missing.map((name) => `${name} is missing`), ...unknown.map((name) => `${name} is unknown`)]
  throw new Error(
    `this database was made before Guildhall 0.1.0, and its migrations are not those of the last build before it (${briefly(found)}): run npm run admin -- migrate on it with that build (commit ${LAST_COMMIT_BEFORE}), or restore a backup that that build made; then start this version on it, or copy it to a new database with npm run admin -- move`,
  )
}

const briefly = (found: readonly string[]) =>
  found.length > 3 ? `${found.slice(0, 3).join(', ')}, and ${found.length - 3} more` : found.join(', ')

/**
 * Writes down that a database which has exactly the migrations from before has the first one, and returns what it has then. Several processes
 * may do so at once. Refuses any other database from that time.
 */
export async function takeOver(db: Db, applied: readonly string[]): Promise<readonly string[]> {
  refuseOlder(applied)
  if (!applied.some(isBefore) || applied.includes(UNFINISHED_MOVE)) return applied
  await db.transaction().execute(async (transaction) => {
    await sql`insert into kysely_migration (name, timestamp)
      select ${FIRST}, max(timestamp) from kysely_migration where true on conflict do nothing`.execute(transaction)
    await sql`delete from kysely_migration where name in (${sql.join(migrationsBefore)})`.execute(transaction)
  })
  return countedAs(applied)
}
