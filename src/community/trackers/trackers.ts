// Two ways with other trackers (behaviour.md, section 5): the addresses at which their deliveries arrive.
import { statusOf } from '../../contract/problem.ts'
import type { Endpoint } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { deliveryPath, MAX_DELIVERY_BYTES, type ServiceName, serviceNames } from './contract.ts'

export { actOnLink, linkActs, listLinks } from './operating.ts'

const endpointOf = (dependencies: Dependencies, service: ServiceName): Endpoint => ({
  path: deliveryPath(service, ':id'),
  otherSites: 'keep out',
  bodyLimit: MAX_DELIVERY_BYTES,
  methods: {
    POST: async (received) => {
      const id = received.url.pathname.split('/').at(-1) ?? ''
      return (await import('./serving.ts')).serveDelivery(dependencies, { service, id }, received)
    },
  },
  refuse: (problem) => ({
    status: statusOf[problem.code],
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ code: problem.code, message: problem.message }),
  }),
})

export const trackerEndpoints = (dependencies: Dependencies): readonly Endpoint[] =>
  serviceNames.map((service) => endpointOf(dependencies, service))
