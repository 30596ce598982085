// Accounts: signing up and in, credentials, deletion and export.
import type { Feature, JobSource, Work } from '../content/manifest.ts'
import type { Job } from '../core/jobs/job.ts'
import { deleteExpired } from '../identity/credentials.ts'
import { lazily } from '../request/lazily.ts'
import { address } from './address-contract.ts'
import { chatLinks } from './chat/contract.ts'
import { deletion } from './deletion-contract.ts'
import { dataExports } from './export-contract.ts'
import { deleteExpiredExports, isExportUsed, listWaiting } from './export-queries.ts'
import type { ExportDependencies, prepareExport } from './exporting.ts'
import { external } from './external/contract.ts'
import { feeds } from './feeds-contract.ts'
import { invitation } from './invitation-contract.ts'
import { passkeys } from './passkeys/contract.ts'
import { reauthentication } from './reauthentication-contract.ts'
import { sessions } from './sessions-contract.ts'
import { setup } from './setup/contract.ts'
import type { SetupServices } from './setup/handlers.ts'
import { challenges } from './sign-in/challenge-contract.ts'
import { accounts, language, usage } from './sign-in/contract.ts'

/** Attempts after which an export is given up. */
export const MAX_ATTEMPTS = 3

/** `bounds` are for tests. */
export const exportJob = (
  { db }: Pick<JobSource, 'db'>,
  work: () => ExportDependencies,
  bounds?: Parameters<typeof prepareExport>[2],
): Job => ({
  kind: 'exports.prepare',
  summary: 'prepares the archive that an account asked for',
  wake: { find: ({ limit }) => listWaiting(db, limit) },
  attempts: MAX_ATTEMPTS,
  batch: async ({ key, renew }) =>
    void (await (await import('./exporting.ts')).prepareExport(work(), { id: key, renew }, bounds)),
  giveUp: async ({ key }) => (await import('./exporting.ts')).giveUpExport(work(), key),
  retry: async (db, key) => (await import('./exporting.ts')).retryExport(db, key),
})

export const accountsFeature = {
  handlers: (services: SetupServices) => ({
    accounts: lazily(accounts, async () => (await import('./sign-in/handlers.ts')).handlers),
    challenges: lazily(challenges, async () => (await import('./sign-in/handlers.ts')).challengeHandlers),
    passkeys: lazily(passkeys, async () => (await import('./passkeys/handlers.ts')).handlers),
    external: lazily(external, async () => (await import('./external/handlers.ts')).handlers),
    reauthentication: lazily(reauthentication, async () => (await import('./reauthentication-handlers.ts')).handlers),
    sessions: lazily(sessions, async () => (await import('./sessions-handlers.ts')).handlers),
    usage: lazily(usage, async () => (await import('./sign-in/handlers.ts')).usageHandlers),
    language: lazily(language, async () => (await import('./sign-in/handlers.ts')).languageHandlers),
    deletion: lazily(deletion, async () => (await import('./deletion-handlers.ts')).handlers),
    dataExports: lazily(dataExports, async () => (await import('./export-handlers.ts')).handlers),
    feeds: lazily(feeds, async () => (await import('./feeds-handlers.ts')).handlers),
    chatLinks: lazily(chatLinks, async () => (await import('./chat/handlers.ts')).handlers),
    address: lazily(address, async () => (await import('./address-handlers.ts')).handlers),
    invitation: lazily(invitation, async () => (await import('./invitation-handlers.ts')).handlers),
    setup: lazily(setup, async () => (await import('./setup/handlers.ts')).handlersWith(services)),
  }),
  erasure: { first: async () => [(await import('../identity/erasing.ts')).credentialErasure] },
  jobs: (source: JobSource, work: Work) => [exportJob(source, () => work().dependencies)],
  cleanUps: {
    credentials: [
      'expired sessions, codes and invitations',
      (now, { db, config }) => deleteExpired(db, now, config.keptDays.networks),
    ],
    exports: ['exports whose time is over', (now, { db }) => deleteExpiredExports(db, now)],
  },
  isFileUsed: isExportUsed,
} satisfies Feature
