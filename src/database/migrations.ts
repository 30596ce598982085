// Every migration by its name.
import type { Migration } from 'kysely/migration'
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
import * as boards from '../../migrations/0179-boards.ts'
import * as webhookBoards from '../../migrations/0180-webhook-boards.ts'
import * as boardAgents from '../../migrations/0181-board-agents.ts'
import * as boardMembers from '../../migrations/0182-board-members.ts'
import * as inboxesOfBoards from '../../migrations/0183-inboxes-of-boards.ts'
import * as classifier from '../../migrations/0184-classifier.ts'
import * as assistant from '../../migrations/0185-assistant.ts'
import * as samples from '../../migrations/0187-samples.ts'
import * as sharedFilters from '../../migrations/0188-shared-filters.ts'
import * as meanings from '../../migrations/0189-meanings.ts'
import * as classifiedEdits from '../../migrations/0190-classified-edits.ts'
import * as passkeySessions from '../../migrations/0191-passkey-sessions.ts'
import * as invitationLinks from '../../migrations/0192-invitation-links.ts'
import * as trust from '../../migrations/0194-trust.ts'
import * as floods from '../../migrations/0195-floods.ts'
import * as usedProofs from '../../migrations/0198-used-proofs.ts'
import * as floodTargets from '../../migrations/0199-flood-targets.ts'
import * as trustedPublishers from '../../migrations/0201-trusted-publishers.ts'
import * as approvers from '../../migrations/0202-approvers.ts'
import * as staging from '../../migrations/0203-staging.ts'
import * as lifeOfItems from '../../migrations/0204-life-of-items.ts'
import * as outcomes from '../../migrations/0206-outcomes.ts'
import * as itemRank from '../../migrations/0207-item-rank.ts'
import * as feedback from '../../migrations/0208-feedback.ts'
import * as versionCloses from '../../migrations/0209-version-closes.ts'
import * as nameDomains from '../../migrations/0212-name-domains.ts'
import * as eventSubscriptions from '../../migrations/0213-event-subscriptions.ts'
import * as widget from '../../migrations/0217-widget.ts'
import * as trackers from '../../migrations/0218-trackers.ts'
import * as workloads from '../../migrations/0220-workloads.ts'
import * as webhookFormats from '../../migrations/0221-webhook-formats.ts'
import * as chatLinks from '../../migrations/0222-chat-links.ts'
import * as mailReplies from '../../migrations/0224-mail-replies.ts'
import * as bounces from '../../migrations/0225-bounces.ts'
import * as helpers from '../../migrations/0226-helpers.ts'
import * as scim from '../../migrations/0227-scim.ts'
import * as signals from '../../migrations/0228-signals.ts'
import * as imports from '../../migrations/0231-imports.ts'
import * as webPush from '../../migrations/0233-web-push.ts'
import * as guestDigest from '../../migrations/0234-guest-digest.ts'
import * as importClaims from '../../migrations/0235-import-claims.ts'
import * as trackerAccounts from '../../migrations/0236-tracker-accounts.ts'
import * as signInStrength from '../../migrations/0237-sign-in-strength.ts'
import * as signalStreams from '../../migrations/0238-signal-streams.ts'
import * as timelines from '../../migrations/0240-timelines.ts'
import * as secretClients from '../../migrations/0243-secret-clients.ts'
import * as deviceStrength from '../../migrations/0244-device-strength.ts'
import * as toldReporters from '../../migrations/0245-told-reporters.ts'
import * as lastActive from '../../migrations/0246-last-active.ts'
import * as visitsAndWriters from '../../migrations/0247-visits-and-writers.ts'

/** In the order they are run; a migration that has landed is never edited. */
export const migrations: Record<string, Migration> = {
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
  '0191-passkey-sessions': passkeySessions,
  '0192-invitation-links': invitationLinks,
  '0184-classifier': classifier,
  '0185-assistant': assistant,
  '0187-samples': samples,
  '0203-staging': staging,
  '0202-approvers': approvers,
  '0201-trusted-publishers': trustedPublishers,
  '0220-workloads': workloads,
  '0224-mail-replies': mailReplies,
  '0225-bounces': bounces,
  '0198-used-proofs': usedProofs,
  '0199-flood-targets': floodTargets,
  '0206-outcomes': outcomes,
  '0207-item-rank': itemRank,
  '0208-feedback': feedback,
  '0209-version-closes': versionCloses,
  '0212-name-domains': nameDomains,
  '0213-event-subscriptions': eventSubscriptions,
  '0226-helpers': helpers,
  '0227-scim': scim,
  '0217-widget': widget,
  '0228-signals': signals,
  '0231-imports': imports,
  '0233-web-push': webPush,
  '0234-guest-digest': guestDigest,
  '0235-import-claims': importClaims,
  '0236-tracker-accounts': trackerAccounts,
  '0237-sign-in-strength': signInStrength,
  '0238-signal-streams': signalStreams,
  '0240-timelines': timelines,
  '0245-told-reporters': toldReporters,
  '0246-last-active': lastActive,
  '0247-visits-and-writers': visitsAndWriters,
  '0204-life-of-items': lifeOfItems,
  '0194-trust': trust,
  '0195-floods': floods,
  '0179-boards': boards,
  '0188-shared-filters': sharedFilters,
  '0181-board-agents': boardAgents,
  '0180-webhook-boards': webhookBoards,
  '0221-webhook-formats': webhookFormats,
  '0222-chat-links': chatLinks,
  '0182-board-members': boardMembers,
  '0183-inboxes-of-boards': inboxesOfBoards,
  '0168-week-figures': weekFigures,
  '0094-language': language,
  '0092-text-images': textImages,
  '0071-via': via,
  '0068-idempotency': idempotency,
  '0072-grant-life': grantLife,
  '0073-bounds': bounds,
  '0064-teams': teams,
  '0080-pending-acts': pendingActs,
  '0189-meanings': meanings,
  '0190-classified-edits': classifiedEdits,
  '0218-trackers': trackers,
  '0243-secret-clients': secretClients,
  '0244-device-strength': deviceStrength,
}
