import { wordOf } from '#lib/language/catalogue.ts'
import { moderating } from '#lib/server/administration.ts'
import { action, found } from '#lib/server/answers.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { filtersOf, listed } from '#lib/subjects.ts'
import type { Actions, PageServerLoad } from './$types'

const one = { per_page: 1 }

export const load: PageServerLoad = async (event) => {
  const { role } = await moderating(event)
  const { api, t, server } = event.locals
  const isOn = (href: string) => !server.off.hasPage(href)
  const total = async (answer: Promise<{ total: number }>) => (await found(answer)).total
  const count = async (name: string, href: string, read: () => Promise<{ total: number }>) =>
    isOn(href) ? [{ name, href, total: await total(read()) }] : []
  const withStatus = listed
    .filter(({ path }) => isOn(path))
    .flatMap((subject) => {
      const status = filtersOf(t, subject).find(({ name }) => name === 'status')
      return status
        ? {
            title: wordOf(t, `kinds.${subject.type}.section`) ?? subject.type,
            path: subject.path,
            calls: callsOf(api, subject),
            status,
          }
        : []
    })
  const [kinds, others, newest, overview, samples] = await Promise.all([
    Promise.all(
      withStatus.map(async ({ title, path, calls, status }) => ({
        title,
        path,
        states: await Promise.all(
          status.options.map(async ({ value }) => ({
            state: value,
            total: await total(calls.list({ ...one, [status.name]: value })),
          })),
        ),
      })),
    ),
    Promise.all([
      count(t('kinds.post.many'), '/community/posts', () => api.posts.list(one)),
      count(t('admin.count.orgs'), '/community/orgs', () => api.orgs.list(one)),
      count(t('admin.count.items'), '/library', () => api.library.list({ ...one, kind: 'all' })),
      count(t('kinds.label.many'), '/admin/labels', () => api.labels.list(one)),
      count(t('admin.count.blog'), '/blog', () => api.blog.list(one)),
    ]),
    role === 'admin' ? found(api.admin.listUsers({ per_page: 5 })) : undefined,
    role === 'admin' ? found(api.overview.get()) : undefined,
    role === 'admin' ? found(api.samples.get({})) : undefined,
  ])
  const accounts =
    newest?.total === undefined ? [] : [{ name: t('admin.count.accounts'), href: '/admin/users', total: newest.total }]
  return {
    kinds,
    others: [...accounts, ...others.flat()],
    newest: newest?.users,
    overview,
    samples: samples?.count ?? 0,
  }
}

export const actions = {
  samples: action(
    (_, { locals }) => locals.api.samples.remove({}),
    (samples) => ({ samples }),
  ),
} satisfies Actions
