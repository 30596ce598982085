// The slash command of chats (behaviour.md, section 5): its endpoints, which are loaded when one is first asked for; 404 where the operator has it off.
import { chatServices } from '../../contract/own-clients.ts'
import { statusOf } from '../../contract/problem.ts'
import type { Endpoint } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import type { Calling } from './commands.ts'

export const chatEndpoints = (dependencies: Dependencies, calling: Calling): readonly Endpoint[] =>
  chatServices.map((service) => ({
    path: `/api/chat/${service}`,
    otherSites: 'keep out',
    methods: {
      POST: async (received) => (await import('./serving.ts')).serveChat(dependencies, { service, received, calling }),
    },
    refuse: (problem) => ({
      status: statusOf[problem.code],
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ code: problem.code, message: problem.message }),
    }),
  }))
