import { moderating } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import { bugStatuses, featureStatuses } from '#lib/ui/states.ts'
import type { PageServerLoad } from './$types'

const one = { per_page: 1 }

export const load: PageServerLoad = async (event) => {
  const { role } = await moderating(event)
  const { api } = event.locals
  const total = async (answer: Promise<{ total: number }>) => (await found(answer)).total
  const [bugs, features, things, newest] = await Promise.all([
    Promise.all(
      bugStatuses.map(async (state) => ({
        state,
        total: await total(api.bugs.list({ ...one, status: state })),
      })),
    ),
    Promise.all(
      featureStatuses.map(async (state) => ({
        state,
        total: await total(api.features.list({ ...one, status: state })),
      })),
    ),
    Promise.all([
      total(api.posts.list(one)),
      total(api.orgs.list(one)),
      total(api.library.list(one)),
      total(api.labels.list(one)),
      total(api.blog.list(one)),
    ]),
    role === 'admin' ? found(api.admin.listUsers({ per_page: 5 })) : undefined,
  ])
  const [posts, orgs, items, labels, blog] = things
  return {
    bugs,
    features,
    others: { posts, orgs, items, labels, blog },
    accounts: newest?.total,
    newest: newest?.users,
  }
}
