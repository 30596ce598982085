import { redirect } from '@sveltejs/kit'
import { readDefinition } from '#lib/features/orgs/definition.ts'
import { ofDefinition } from '#lib/features/orgs/refusals.ts'
import { attempt, field, refuse, refusedAs } from '#lib/server/answers.ts'
import { writing } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

/** A definition as a file and as text, plus the overhead of the form. */
const MAX_FORM_BYTES = 1_100_000
const FORM = 'create'

export const load: PageServerLoad = writing

export const actions: Actions = {
  create: async ({ request, locals, url }) => {
    if (Number(request.headers.get('content-length')) > MAX_FORM_BYTES) {
      return refuse({ status: 400, message: `orgJson: ${locals.t('orgs.new.large')}` }, new FormData(), FORM)
    }
    const form = await request.formData()
    const file = form.get('file')
    if (file instanceof File && file.size > 0) {
      const read = await readDefinition(file)
      if (read.problem !== undefined) {
        const said =
          read.problem === 'size'
            ? locals.t('orgs.new.size', { bytes: locals.t.number(file.size) })
            : locals.t('orgs.new.encoding')
        return refuse({ status: 400, message: `file: ${said}` }, form, FORM)
      }
      form.set('orgJson', read.text)
    } else {
      // Browsers submit CRLF; most files have LF.
      form.set('orgJson', field(form, 'orgJson').replaceAll('\r\n', '\n'))
    }
    const orgJson = field(form, 'orgJson')
    if (orgJson.trim() === '') {
      return refuse({ status: 400, message: `orgJson: ${locals.t('orgs.new.choose')}` }, form, FORM)
    }
    const { value, failure } = await attempt(refusedAs(locals.api.orgs.create({ orgJson }), ofDefinition(locals.t)), {
      form,
      url,
      written: true,
    })
    if (failure) return failure
    redirect(303, `/community/orgs/${value.id}`)
  },
}
