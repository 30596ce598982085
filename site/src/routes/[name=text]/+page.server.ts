import { document } from '#lib/server/documents.ts'
import { keptTexts, machineTexts, operatorTexts } from '#lib/server/operator.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ url, locals, params: { name } }) => ({
  document: document(`pages/${name}`, locals.t, {
    baseUrl: url.origin,
    texts: {
      ...operatorTexts(locals.server.operator, url.host, locals.t),
      ...keptTexts(locals.server.keptDays, locals.t),
      ...machineTexts(locals.server.machines, locals.t),
    },
  }),
})
