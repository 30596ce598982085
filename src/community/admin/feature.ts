// What admins do: accounts, invitations, webhooks of the community, and the audit log. And the overview, with its job.
import type { Feature, JobSource, Work } from '../../content/manifest.ts'
import type { JobReport } from '../../core/jobs/report.ts'
import { type AuditLookups, adminHandlers } from './handlers.ts'
import { handlers as invitations } from './invitations-handlers.ts'
import { overviewHandlers } from './overview-handlers.ts'
import { weekFiguresJob } from './overview-job.ts'
import { handlers as webhooks } from './webhooks-handlers.ts'

interface Services {
  auditLookups: AuditLookups
  /** How the work besides requests goes. */
  listJobs(): Promise<readonly JobReport[]>
}

export const adminFeature = {
  handlers: ({ auditLookups, listJobs }: Services) => ({
    ...{ admin: adminHandlers(auditLookups), overview: overviewHandlers(listJobs), invitations, webhooks },
  }),
  jobs: (_: JobSource, work: Work) => [weekFiguresJob(() => work().dependencies)],
} satisfies Feature
