import { wordOf } from '#lib/language/catalogue.ts'
import { moderating } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { filtersOf, listed } from '#lib/subjects.ts'
import type { PageServerLoad } from './$types'

const one = { per_page: 1 }

export const load: PageServerLoad = async (event) => {
  const { role } = await moderating(event)
  const { api, t } = event.locals
  const total = async (answer: Promise<{ total: number }>) => (await found(answer)).total
  const count = async (name: string, href: string, answer: Promise<{ total: number }>) => ({
    name,
    href,
    total: await total(answer),
  })
  const withStatus = listed.flatMap((subject) => {
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
  const [kinds, others, newest] = await Promise.all([
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
      count(t('kinds.post.many'), '/community/posts', api.posts.list(one)),
      count(t('admin.count.orgs'), '/community/orgs', api.orgs.list(one)),
      count(t('admin.count.items'), '/library', api.library.list(one)),
      count(t('kinds.label.many'), '/admin/labels', api.labels.list(one)),
      count(t('admin.count.blog'), '/blog', api.blog.list(one)),
    ]),
    role === 'admin' ? found(api.admin.listUsers({ per_page: 5 })) : undefined,
  ])
  const accounts =
    newest?.total === undefined ? [] : [{ name: t('admin.count.accounts'), href: '/admin/users', total: newest.total }]
  return { kinds, others: [...accounts, ...others], newest: newest?.users }
}
