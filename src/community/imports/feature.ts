// Imports from other trackers, as a feature of the application.
import { replaceImported } from '../../content/imported/queries.ts'
import type { Feature, JobSource, Work } from '../../content/manifest.ts'
import { DELETED_USER } from '../../contract/no-account.ts'
import { type Job, more } from '../../core/jobs/job.ts'
import { clearing } from '../../identity/erasure.ts'
import { lazily } from '../../request/lazily.ts'
import { after } from '../../runtime/clock.ts'
import { deletePeopleOf, listClaims, replaceClaims } from './claim-queries.ts'
import { importClaims } from './claims-contract.ts'
import { imports } from './contract.ts'
import { clearImportsBy, deleteStaged, failImport, findImportTitles, listGoing, stepTo } from './queries.ts'

/** Files have names and addresses of people: what was read waits for so long. */
const KEPT_SECONDS = 30 * 86_400
/** Imports that go on at a time are listed so far. */
const MOST = 10

const summaries = { run: 'writes what was read of other trackers', revert: 'takes imports back' } as const

const going = (kind: keyof typeof summaries, { db }: JobSource, work: Work): Job => ({
  kind: `imports.${kind}`,
  summary: summaries[kind],
  wake: {
    async find() {
      const found = await listGoing(db, kind === 'run' ? 'running' : 'reverting', MOST)
      return found.map(({ id, createdAt }) => ({ key: id, since: createdAt }))
    },
  },
  lane: 'imports',
  ...(kind === 'run' && {
    longestBatchSeconds: 120,
    attempts: 10,
    giveUp: ({ key }) => db.transaction().execute(async (transaction) => void (await failImport(transaction, key))),
    retry: async (transaction, key) => void (await stepTo(transaction, key, { to: 'running', error: null })),
  }),
  async batch({ key }) {
    const { runImport, revertImport } = await import('./imports.ts')
    return more(await (kind === 'run' ? runImport : revertImport)(work().dependencies, key))
  },
})

const merging = ({ db }: JobSource, work: Work): Job => ({
  kind: 'imports.merge',
  summary: 'gives what was imported of people to the accounts that took it over',
  wake: { find: ({ limit }) => listClaims(db, limit) },
  lane: 'imports',
  async batch({ key }) {
    const { mergePerson } = await import('./merging-people.ts')
    return more(await mergePerson(work().dependencies, key))
  },
})

export const importsFeature = {
  handlers: {
    imports: lazily(imports, async () => (await import('./handlers.ts')).handlers),
    importClaims: lazily(importClaims, async () => (await import('./claims.ts')).claimHandlers),
  },
  jobs: (source: JobSource, work: Work) => [
    going('run', source, work),
    going('revert', source, work),
    merging(source, work),
  ],
  erasure: {
    steps: () => [
      clearing('imported-account', ['import.createdBy'], clearImportsBy),
      {
        name: 'imported-person',
        part: 'content',
        clears: ['importClaim.userId', 'importedPerson.accountId'],
        async erase({ db }, { id }) {
          if ((await deletePeopleOf(db, id, 50)) === 50) return true
          const moved = { from: id, to: DELETED_USER, limit: 50 }
          return [await replaceImported(db, moved), await replaceClaims(db, moved)].includes(50)
        },
      },
    ],
  },
  cleanUps: {
    imports: [
      'imports that were read a month ago and not started',
      (now, { db }) => deleteStaged(db, after(now, -KEPT_SECONDS)),
    ],
  },
  titles: { import: findImportTitles },
} satisfies Feature
