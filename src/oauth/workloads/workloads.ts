// Workload identities, as the rest of the authorization server sees them.
import { lazily } from '../../request/lazily.ts'
import { workloads } from './contract.ts'

export { workloadExchange } from './exchange.ts'

export const workloadHandlers = lazily(workloads, async () => (await import('./handlers.ts')).handlers)
