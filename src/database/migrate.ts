// Brings the database to the newest shape at start. One process at a time does it; the others wait and find it done.
import { PostgresAdapter, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as ground from '../../migrations/0001-ground.ts'
import * as oauth from '../../migrations/0002-oauth.ts'
import * as community from '../../migrations/0003-community.ts'
import * as slugs from '../../migrations/0004-slugs.ts'
import * as library from '../../migrations/0005-library.ts'
import * as orgs from '../../migrations/0006-orgs.ts'
import * as passkeys from '../../migrations/0007-passkeys.ts'
import * as walks from '../../migrations/0008-walks.ts'
import * as newestFirst from '../../migrations/0009-newest-first.ts'
import * as feedByType from '../../migrations/0010-feed-by-type.ts'
import * as accountsCounted from '../../migrations/0011-accounts-counted.ts'
import * as devices from '../../migrations/0012-devices.ts'
import * as verifiedBy from '../../migrations/0013-verified-by.ts'
import * as knownBrowsers from '../../migrations/0014-known-browsers.ts'
import * as storedHashes from '../../migrations/0015-stored-hashes.ts'
import * as auditChain from '../../migrations/0016-audit-chain.ts'
import * as storedBytes from '../../migrations/0017-stored-bytes.ts'
import * as boundTokens from '../../migrations/0018-bound-tokens.ts'
import * as shortLists from '../../migrations/0021-short-lists.ts'
import * as fieldNames from '../../migrations/0022-field-names.ts'
import * as changes from '../../migrations/0023-changes.ts'
import * as blobRemovals from '../../migrations/0024-blob-removals.ts'
import * as ownChanges from '../../migrations/0025-own-changes.ts'
import * as search from '../../migrations/0027-search.ts'
import * as talk from '../../migrations/0028-talk.ts'
import * as edits from '../../migrations/0029-edits.ts'
import * as notifications from '../../migrations/0030-notifications.ts'
import * as unsubscribe from '../../migrations/0031-unsubscribe.ts'
import * as hidden from '../../migrations/0032-hidden.ts'
import * as moderation from '../../migrations/0033-moderation.ts'
import * as erasure from '../../migrations/0034-erasure.ts'
import * as ownData from '../../migrations/0035-own-data.ts'
import * as merging from '../../migrations/0036-merging.ts'
import * as releases from '../../migrations/0037-releases.ts'
import * as webhooks from '../../migrations/0038-webhooks.ts'
import * as oldNotifications from '../../migrations/0039-old-notifications.ts'
import * as rowIds from '../../migrations/0040-row-ids.ts'
import * as itemTotals from '../../migrations/0041-item-totals.ts'
import * as searchBuild from '../../migrations/0042-search-build.ts'
import * as people from '../../migrations/0044-people.ts'
import * as hiddenRuns from '../../migrations/0045-hidden-runs.ts'
import * as undoingMerges from '../../migrations/0047-undoing-merges.ts'
import * as drafts from '../../migrations/0048-drafts.ts'
import * as searchOfMerged from '../../migrations/0049-search-of-merged.ts'
import * as ownedCodes from '../../migrations/0050-owned-codes.ts'
import * as searchPages from '../../migrations/0051-search-pages.ts'
import * as versionDetails from '../../migrations/0052-version-details.ts'
import * as owners from '../../migrations/0053-owners.ts'
import * as versionLife from '../../migrations/0055-version-life.ts'
import * as downloads from '../../migrations/0056-downloads.ts'
import * as dependencies from '../../migrations/0057-dependencies.ts'
import * as versionPermissions from '../../migrations/0058-version-permissions.ts'
import * as versionScans from '../../migrations/0059-version-scans.ts'
import * as transparencyLog from '../../migrations/0061-log.ts'
import * as statements from '../../migrations/0062-statements.ts'
import * as deviceCodes from '../../migrations/0063-device-codes.ts'
import * as teams from '../../migrations/0064-teams.ts'
import * as uses from '../../migrations/0066-uses.ts'
import * as useFilling from '../../migrations/0067-use-filling.ts'
import * as idempotency from '../../migrations/0068-idempotency.ts'
import * as via from '../../migrations/0071-via.ts'
import * as grantLife from '../../migrations/0072-grant-life.ts'
import * as bounds from '../../migrations/0073-bounds.ts'
import * as personalTokens from '../../migrations/0075-personal-tokens.ts'
import * as signUpInvitations from '../../migrations/0076-sign-up-invitations.ts'
import * as externalIdentities from '../../migrations/0077-external-identities.ts'
import * as shownTeams from '../../migrations/0078-shown-teams.ts'
import * as pendingActs from '../../migrations/0080-pending-acts.ts'
import * as trending from '../../migrations/0085-trending.ts'
import * as members from '../../migrations/0086-members.ts'
import * as savedFilters from '../../migrations/0087-saved-filters.ts'
import * as formDrafts from '../../migrations/0091-form-drafts.ts'
import * as textImages from '../../migrations/0092-text-images.ts'
import * as language from '../../migrations/0094-language.ts'
import * as labelDescriptions from '../../migrations/0095-label-descriptions.ts'
import * as pendingSizes from '../../migrations/0096-pending-sizes.ts'
import * as credentialsValidFrom from '../../migrations/0101-credentials-valid-from.ts'
import * as codeRequests from '../../migrations/0102-code-requests.ts'
import * as takenNotifications from '../../migrations/0103-taken-notifications.ts'
import * as evidence from '../../migrations/0104-evidence.ts'
import * as storedByNetwork from '../../migrations/0116-stored-by-network.ts'
import * as goneVersions from '../../migrations/0121-gone-versions.ts'
import * as dependencyPlaces from '../../migrations/0122-dependency-places.ts'
import * as namedFiles from '../../migrations/0131-named-files.ts'
import * as stepNames from '../../migrations/0141-step-names.ts'
import * as clockDoubt from '../../migrations/0142-clock-doubt.ts'
import * as eventNumbers from '../../migrations/0151-event-numbers.ts'
import * as jobs from '../../migrations/0161-jobs.ts'
import * as labelsOfFeaturesAndPosts from '../../migrations/0162-labels-of-features-and-posts.ts'
import * as settings from '../../migrations/0163-settings.ts'
import * as feedKeys from '../../migrations/0165-feed-keys.ts'
import * as externalGroups from '../../migrations/0166-external-groups.ts'
import * as setup from '../../migrations/0167-setup.ts'
import * as weekFigures from '../../migrations/0168-week-figures.ts'
import * as threads from '../../migrations/0175-threads.ts'
import * as suggestions from '../../migrations/0178-suggestions.ts'
import { detailsOf } from '../runtime/untyped.ts'
import type { Db } from './schema.ts'

/** In the order they are run; a migration that has landed is never edited. */
const migrations: Record<string, Migration> = {
  '0001-ground': ground,
  '0002-oauth': oauth,
  '0003-community': community,
  '0004-slugs': slugs,
  '0005-library': library,
  '0006-orgs': orgs,
  '0007-passkeys': passkeys,
  '0008-walks': walks,
  '0009-newest-first': newestFirst,
  '0010-feed-by-type': feedByType,
  '0011-accounts-counted': accountsCounted,
  '0012-devices': devices,
  '0013-verified-by': verifiedBy,
  '0014-known-browsers': knownBrowsers,
  '0015-stored-hashes': storedHashes,
  '0016-audit-chain': auditChain,
  '0017-stored-bytes': storedBytes,
  '0018-bound-tokens': boundTokens,
  '0021-short-lists': shortLists,
  '0022-field-names': fieldNames,
  '0024-blob-removals': blobRemovals,
  '0025-own-changes': ownChanges,
  '0023-changes': changes,
  '0027-search': search,
  '0028-talk': talk,
  '0029-edits': edits,
  '0030-notifications': notifications,
  '0031-unsubscribe': unsubscribe,
  '0032-hidden': hidden,
  '0033-moderation': moderation,
  '0034-erasure': erasure,
  '0035-own-data': ownData,
  '0036-merging': merging,
  '0037-releases': releases,
  '0038-webhooks': webhooks,
  '0039-old-notifications': oldNotifications,
  '0040-row-ids': rowIds,
  '0041-item-totals': itemTotals,
  '0042-search-build': searchBuild,
  '0044-people': people,
  '0045-hidden-runs': hiddenRuns,
  '0047-undoing-merges': undoingMerges,
  '0048-drafts': drafts,
  '0049-search-of-merged': searchOfMerged,
  '0050-owned-codes': ownedCodes,
  '0051-search-pages': searchPages,
  '0052-version-details': versionDetails,
  '0053-owners': owners,
  '0055-version-life': versionLife,
  '0059-version-scans': versionScans,
  '0056-downloads': downloads,
  '0057-dependencies': dependencies,
  '0063-device-codes': deviceCodes,
  '0066-uses': uses,
  '0067-use-filling': useFilling,
  '0058-version-permissions': versionPermissions,
  '0061-log': transparencyLog,
  '0062-statements': statements,
  '0075-personal-tokens': personalTokens,
  '0076-sign-up-invitations': signUpInvitations,
  '0077-external-identities': externalIdentities,
  '0078-shown-teams': shownTeams,
  '0085-trending': trending,
  '0086-members': members,
  '0087-saved-filters': savedFilters,
  '0091-form-drafts': formDrafts,
  '0095-label-descriptions': labelDescriptions,
  '0096-pending-sizes': pendingSizes,
  '0101-credentials-valid-from': credentialsValidFrom,
  '0102-code-requests': codeRequests,
  '0103-taken-notifications': takenNotifications,
  '0104-evidence': evidence,
  '0116-stored-by-network': storedByNetwork,
  '0121-gone-versions': goneVersions,
  '0122-dependency-places': dependencyPlaces,
  '0131-named-files': namedFiles,
  '0141-step-names': stepNames,
  '0142-clock-doubt': clockDoubt,
  '0151-event-numbers': eventNumbers,
  '0161-jobs': jobs,
  '0162-labels-of-features-and-posts': labelsOfFeaturesAndPosts,
  '0163-settings': settings,
  '0165-feed-keys': feedKeys,
  '0166-external-groups': externalGroups,
  '0167-setup': setup,
  '0175-threads': threads,
  '0178-suggestions': suggestions,
  '0168-week-figures': weekFigures,
  '0094-language': language,
  '0092-text-images': textImages,
  '0071-via': via,
  '0068-idempotency': idempotency,
  '0072-grant-life': grantLife,
  '0073-bounds': bounds,
  '0064-teams': teams,
  '0080-pending-acts': pendingActs,
}

/** In the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** What a database has in its list of migrations while rows are moved into it (operator/move.ts): no version starts on it. */
export const UNFINISHED_MOVE = 'unfinished-move'

const ATTEMPTS = 5
/**
 * How long a migration waits for a lock beside a server that works: less than the second after which PostgreSQL looks for a deadlock, so
 * that the migration gives way to a write, and not a write to it.
 */
const LOCK_MILLISECONDS = 200
/** After that it waits as any other. */
const GIVES_WAY_MILLISECONDS = 60_000

/**
 * Runs every migration the database has not seen: each in a transaction of its own where others may work in the database, all in one
 * otherwise.
 * Two processes that create the same empty database can meet in the library's bookkeeping tables, which are made
 * before its lock is taken: the one that comes second tries again.
 */
export async function migrate(db: Db): Promise<void> {
  const isBeside = db.getExecutor().adapter instanceof PostgresAdapter && (await listApplied(db)).length > 0
  const until = performance.now() + GIVES_WAY_MILLISECONDS
  const givesWay = () => isBeside && performance.now() < until
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => (isBeside ? gentle(givesWay) : migrations) },
    allowUnorderedMigrations: true,
  })
  for (let attempt = 1; ; ) {
    const run = isBeside ? migrator.migrateUp() : migrator.migrateToLatest()
    const { error, results } = await run.catch((error: unknown) => ({ error, results: undefined }))
    if (error === undefined && isBeside && results?.length) continue
    if (error === undefined) return
    refuseNewer(await listApplied(db))
    if (!givesWay() || !isLocked(error)) {
      if (attempt === ATTEMPTS) throw error
      attempt++
    }
    await new Promise((resolve) => setTimeout(resolve, 50 * attempt))
  }
}

/** The migrations, each of which stops where it would wait for long. */
const gentle = (givesWay: () => boolean): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      {
        async up(db) {
          if (givesWay()) await sql.raw(`set local lock_timeout = ${LOCK_MILLISECONDS}`).execute(db)
          await up(db)
        },
      },
    ]),
  )

/** Whether another transaction was in the way (PostgreSQL, Appendix A: lock_not_available, deadlock_detected). */
const isLocked = (error: unknown) => ['55P03', '40P01'].includes(String(detailsOf(error).code))

/** The migrations besides those that ran, in the order in which they run. Throws where a newer version ran some. */
export function missingBeside(applied: readonly string[]): string[] {
  refuseNewer(applied)
  return migrationNames.filter((name) => !applied.includes(name))
}

/** The names of the migrations that the database has seen; none in an empty one. */
export async function listApplied(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(db)
    .catch((error: unknown) => {
      if (isMissingTable(error)) return { rows: [] }
      throw error
    })
  return rows.map(({ name }) => name)
}

/** Of an empty database; any other error, such as one that does not respond, must not look like one. */
export const isMissingTable = (error: unknown) => {
  const { code, message } = detailsOf(error)
  return code === '42P01' || /^no such table/.test(String(message))
}

/** Throws where migrations ran that this version does not know. */
function refuseNewer(applied: readonly string[]): void {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return
  if (unknown.includes(UNFINISHED_MOVE)) {
    throw new Error('a move or a restore into this database has not finished: repeat it, or remove the database')
  }
  throw new Error(
    `this database was made by a newer version of Guildhall (it has ${unknown.join(', ')}, which this version does not know); run that version, or restore from a backup that this one made`,
  )
}
