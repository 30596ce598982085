// What admins do: accounts, invitations, webhooks of the community, and the audit log.
import type { Feature } from '../../content/manifest.ts'
import { type AuditLookups, adminHandlers } from './handlers.ts'
import { handlers as invitations } from './invitations-handlers.ts'
import { handlers as webhooks } from './webhooks-handlers.ts'

export const adminFeature = {
  handlers: ({ auditLookups }: { auditLookups: AuditLookups }) => ({
    ...{ admin: adminHandlers(auditLookups), invitations, webhooks },
  }),
} satisfies Feature
