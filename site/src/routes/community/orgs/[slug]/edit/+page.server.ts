import { error, redirect } from '@sveltejs/kit'
import { ofFiles } from '#lib/features/orgs/refusals.ts'
import { action, attempt, field, found, goTo, reasonIn, refuse, refusedAs, typed } from '#lib/server/answers.ts'
import { preview, refuseStale, signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

/** A banner and a picture of 2 MB each, and the texts. */
const MAX_FORM_BYTES = 5_000_000
/** The form that every action but `delete` is of. */
const FORM = 'save'

export const load: PageServerLoad = async (event) => {
  const user = await signedIn(event)
  const { locals, params } = event
  const { id, slug, url, name, tagline, description, body, bannerUrl, updatedAt, authorId, can } = await found(
    locals.api.orgs.get({ id: params.slug }),
  )
  const owns = user.id === authorId
  if (!can.edit) error(403, event.locals.t('orgs.edit.refused'))
  return { org: { id, slug, url, name, tagline, description, body, bannerUrl, updatedAt }, owns }
}

const fileIn = (form: FormData, name: string) => {
  const file = form.get(name)
  return file instanceof File && file.size > 0 ? file : undefined
}

/** Uploads a picture of the org. Returns its URL, or an error for its field. */
async function upload({ locals, params, url }: RequestEvent, form: FormData, name: string) {
  const image = fileIn(form, name)
  if (!image)
    return { failure: refuse({ status: 400, message: `${name}: ${locals.t('orgs.edit.choosePicture')}` }, form, FORM) }
  const sent = refusedAs(locals.api.orgImages.add({ id: params.slug, image }), (refusal) => {
    if (refusal.status === 400) refusal.message = ofFiles(refusal.message.replace(/^image: /, ''), name)
  })
  return attempt(sent, { form, url, of: FORM })
}

/** Reads the form, unless it is larger than all its fields can be. */
async function read({ request, locals }: RequestEvent) {
  if (Number(request.headers.get('content-length')) <= MAX_FORM_BYTES) return { form: await request.formData() }
  return {
    refused: refuse({ status: 400, message: locals.t('orgs.edit.pictureLarge') }, new FormData(), FORM),
  }
}

async function addImage(event: RequestEvent, form: FormData) {
  const { value, failure } = await upload(event, form, 'image')
  return failure ?? { imageUrl: value.url, typed: typed(form), of: FORM }
}

export const actions = {
  preview: preview('body', FORM),
  addImage: async (event) => {
    const { form, refused } = await read(event)
    return refused ?? addImage(event, form)
  },
  save: async (event) => {
    const { locals, params, url } = event
    const { form, refused } = await read(event)
    if (refused) return refused
    // A chosen picture is uploaded first, so that the member can insert its URL.
    if (fileIn(form, 'image')) return addImage(event, form)
    const org = await found(locals.api.orgs.get({ id: params.slug }))
    const stale = refuseStale(form, org.updatedAt, FORM)
    if (stale) return stale
    const changes: { name?: string; tagline?: string; description?: string; body?: string; bannerUrl?: string | null } =
      {}
    for (const name of ['name', 'tagline', 'description', 'body'] as const) {
      const text = field(form, name).trim()
      if (text !== (org[name] ?? '').trim()) changes[name] = text
    }
    if (fileIn(form, 'banner')) {
      const { value, failure } = await upload(event, form, 'banner')
      if (failure) return failure
      changes.bannerUrl = value.url
    } else if (form.has('removeBanner') && org.bannerUrl) changes.bannerUrl = null
    if (Object.keys(changes).length > 0) {
      const sent = locals.api.orgs.update({ id: org.id, ...changes, reason: reasonIn(form) })
      const { failure } = await attempt(sent, { form, url })
      if (failure) return failure
    }
    redirect(303, org.url)
  },
  delete: action(
    (form, { locals, params: { slug } }) => locals.api.orgs.delete({ id: slug, reason: reasonIn(form) }),
    goTo('/community/orgs'),
  ),
} satisfies Actions
