// What admins do: accounts, invitations, webhooks of the community, and the audit log. And the overview, with its job.
import type { Feature, JobSource, Work } from '../../content/manifest.ts'
import type { Job } from '../../core/jobs/job.ts'
import type { JobReport } from '../../core/jobs/report.ts'
import type { Dependencies } from '../../request/handler.ts'
import { lazily } from '../../request/lazily.ts'
import { admin, webhooks } from './contract.ts'
import type { AuditLookups } from './handlers.ts'
import { invitationLinks } from './invitation-links-contract.ts'
import { invitations } from './invitations-contract.ts'
import { overview } from './overview-contract.ts'

const EVERY_SECONDS = 3_600

/** `accounts` is for tests. */
export const weekFiguresJob = (
  work: () => Pick<Dependencies, 'db' | 'clock'>,
  { accounts }: { accounts?: number } = {},
): Job => ({
  kind: 'overview.note',
  summary: 'notes how many members were active in this week, and how much is stored',
  wake: { every: EVERY_SECONDS },
  batch: async ({ cursor }) => (await import('./overview-job.ts')).noteWeek(work(), cursor, accounts),
})

interface Services {
  auditLookups: AuditLookups
  /** How the work besides requests goes. */
  listJobs(): Promise<readonly JobReport[]>
}

export const adminFeature = {
  handlers: ({ auditLookups, listJobs }: Services) => ({
    admin: lazily(admin, async () => (await import('./handlers.ts')).adminHandlers(auditLookups)),
    overview: lazily(overview, async () => (await import('./overview-handlers.ts')).overviewHandlers(listJobs)),
    invitations: lazily(invitations, async () => (await import('./invitations-handlers.ts')).handlers),
    invitationLinks: lazily(invitationLinks, async () => (await import('./invitation-links-handlers.ts')).handlers),
    webhooks: lazily(webhooks, async () => (await import('./handlers.ts')).webhooksHandlers),
  }),
  jobs: (_: JobSource, work: Work) => [weekFiguresJob(() => work().dependencies)],
} satisfies Feature
