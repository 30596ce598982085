// The services with which a board can be linked.
import { randomBytes } from 'node:crypto'
import type { TrackerTable } from '../../database/schema.ts'
import { newToken } from '../../runtime/ids.ts'
import type { Asking } from './asking.ts'
import type { ServiceName } from './contract.ts'
import { GitHub } from './github.ts'
import { githubDeliveries } from './github-deliveries.ts'
import { GitLab } from './gitlab.ts'
import { gitlabDeliveries } from './gitlab-deliveries.ts'
import { Linear } from './linear.ts'
import { linearDeliveries } from './linear-deliveries.ts'
import type { Deliveries, Service } from './service.ts'

interface Kind {
  /** As people call it. */
  title: string
  open(asking: Asking, place: { token: string; name: string }): Service
  deliveries: Deliveries
  /** A secret that its webhooks take. */
  newSecret(): string
  /** Whether each place has people of its own. */
  hasOwnPeople?: true
  /** What an import calls its people by. */
  importsPeopleBy: 'id' | 'login'
}

const kinds: Record<ServiceName, Kind> = {
  github: {
    title: 'GitHub',
    open: (asking, place) => new GitHub(asking, place),
    deliveries: githubDeliveries,
    newSecret: newToken,
    importsPeopleBy: 'login',
  },
  gitlab: {
    title: 'GitLab',
    open: (asking, place) => new GitLab(asking, place),
    deliveries: gitlabDeliveries,
    newSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
    importsPeopleBy: 'id',
  },
  linear: {
    title: 'Linear',
    open: (asking, place) => new Linear(asking, place),
    deliveries: linearDeliveries,
    hasOwnPeople: true,
    newSecret: newToken,
    importsPeopleBy: 'id',
  },
}

export const kindOf = ({ source }: Pick<TrackerTable, 'source'>): Kind => kinds[source as ServiceName]
