// Boards: made, changed, archived and deleted by admins.
import { labelsIn } from '#lib/features/boards/label-boxes.ts'
import { administering } from '#lib/server/administration.ts'
import { action, field, found, type Refusal, reasonIn, refusedAs } from '#lib/server/answers.ts'
import { isFirst } from '#lib/server/boards.ts'
import { bugStatuses, featureStatuses } from '#lib/ui/states.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await administering(event)
  const { api } = event.locals
  const [{ items }, labels] = await Promise.all([found(api.boards.list({})), found(api.labels.list({ per_page: 100 }))])
  return { boards: items.map((board) => ({ ...board, isFirst: isFirst(board) })), labels: labels.items }
}

/** The words for the statuses of a type; those that are left empty are the usual ones. */
const wordsIn = (form: FormData, type: string, statuses: readonly string[]) =>
  Object.fromEntries(
    statuses
      .map((status) => [status, field(form, `status.${type}.${status}`).trim()] as const)
      .filter(([, word]) => word !== ''),
  )

const boardIn = (form: FormData) => {
  const labels = labelsIn(form)
  return {
    ...{ slug: field(form, 'slug'), name: field(form, 'name'), description: field(form, 'description') },
    position: Number(field(form, 'position')),
    ...{ readers: field(form, 'readers'), writers: field(form, 'writers'), moderators: field(form, 'moderators') },
    agents: field(form, 'agents').trim() || null,
    statuses: { bug: wordsIn(form, 'bug', bugStatuses), feature: wordsIn(form, 'feature', featureStatuses) },
    labels: labels.length > 0 ? labels : null,
  }
}

/** A form of one board of several. */
const ofBoard = (name: string) => ({ of: (form: FormData) => `${name} ${field(form, 'board')}` })

/** A taken address is an error of that field. */
const ofSlug = (refusal: Refusal) => {
  if (refusal.status === 409 && refusal.message.includes('with the address'))
    refusal.message = `slug: ${refusal.message}`
}

export const actions: Actions = {
  create: action(
    (form, { locals }) => refusedAs(locals.api.boards.create(boardIn(form)), ofSlug),
    ({ name }, _, { locals }) => ({ done: locals.t('admin.board.created', { name }) }),
  ),
  update: action(
    (form, { locals }) =>
      refusedAs(
        locals.api.boards.update({ board: field(form, 'board'), ...boardIn(form), confirm: form.has('confirm') }),
        ofSlug,
      ),
    ({ name }, _, { locals }) => ({ done: locals.t('admin.board.saved', { name }) }),
    ofBoard('update'),
  ),
  archive: action(
    (form, { locals }) =>
      locals.api.boards.archive({ board: field(form, 'board'), archived: field(form, 'archived') === 'true' }),
    ({ name }, _, { locals }) => ({ done: locals.t('admin.board.saved', { name }) }),
    ofBoard('archive'),
  ),
  delete: action(
    (form, { locals }) => locals.api.boards.delete({ board: field(form, 'board'), reason: reasonIn(form) }),
    (_, __, { locals }) => ({ done: locals.t('admin.board.deleted') }),
    ofBoard('delete'),
  ),
}
