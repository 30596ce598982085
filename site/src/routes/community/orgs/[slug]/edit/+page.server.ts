import { error, redirect } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { boxOf, uploadedIn, withPictures } from '#lib/features/orgs/pictures.ts'
import { ofFiles } from '#lib/features/orgs/refusals.ts'
import { action, attempt, field, found, goTo, reasonIn, refuse, refusedAs, typed } from '#lib/server/answers.ts'
import { preview, refuseStale, signedIn } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

/** A banner and a picture of 2 MB each, and the texts. */
const MAX_FORM_BYTES = 5_000_000
/** The form that every action but `delete` is of. */
const FORM = 'save'
const TEXTS = ['name', 'tagline', 'description', 'body'] as const

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const { locals, params } = event
  const { id, slug, url, name, tagline, description, body, bannerUrl, updatedAt, can } = await found(
    locals.api.orgs.get({ id: params.slug }),
  )
  if (!can.edit) error(403, event.locals.t('orgs.edit.refused'))
  const { can: ofItem } = await found(locals.api.library.get({ id }))
  return { org: { id, slug, url, name, tagline, description, body, bannerUrl, updatedAt }, webhooks: ofItem.webhooks }
}

const fileIn = (form: FormData, name: string) => {
  const file = form.get(name)
  return file instanceof File && file.size > 0 ? file : undefined
}

/** Uploads a chosen picture of the org; undefined where none was chosen, or an error for its field. */
async function upload({ locals, params, url }: RequestEvent, form: FormData, name: string) {
  const image = fileIn(form, name)
  if (!image) return { value: undefined, failure: undefined }
  const sent = refusedAs(locals.api.orgImages.add({ id: params.slug, image }), (refusal) => {
    if (refusal.status === 400) refusal.message = ofFiles(refusal.message.replace(/^image: /, ''), name)
  })
  return attempt(sent, { form, url, of: FORM })
}

/** With its size, so that a page leaves room for it. */
const addressOf = ({ url, width, height }: Answer<'orgImages.add'>) => `${url}?size=${width}x${height}`

/**
 * Uploads the banner and the picture that were chosen, and notes their addresses in the form: a form that comes back for any reason
 * has lost neither. Returns the failure of one of them.
 */
async function uploadAll(event: RequestEvent, form: FormData) {
  const { banner, pictures } = uploadedIn((name) => field(form, name))
  const [chosenBanner, picture] = [await upload(event, form, 'banner'), await upload(event, form, 'image')]
  form.set('uploadedBanner', chosenBanner.value?.url ?? banner ?? '')
  const added = picture.value && addressOf(picture.value)
  form.set('uploaded', [...pictures, ...(added ? [added] : [])].join(' '))
  if (added) form.set(boxOf(added), 'on')
  for (const { failure } of [chosenBanner, picture]) {
    if (!failure) continue
    failure.data.typed = typed(form)
    return failure
  }
  return undefined
}

/** Reads the form, unless it is larger than all its fields can be. */
async function read({ request, locals }: RequestEvent) {
  if (Number(request.headers.get('content-length')) <= MAX_FORM_BYTES) return { form: await request.formData() }
  return {
    refused: refuse({ status: 400, message: locals.t('orgs.edit.pictureLarge') }, new FormData(), FORM),
  }
}

/** What differs from the org as it is; ticked pictures are at the end of the text. */
function changesIn(
  { locals }: RequestEvent,
  form: FormData,
  org: Record<(typeof TEXTS)[number], string | null> & { bannerUrl: string | null },
) {
  const { banner, pictures } = uploadedIn((name) => field(form, name))
  const ticked = pictures.filter((url) => form.has(boxOf(url)))
  form.set('body', withPictures(field(form, 'body'), ticked, locals.t('orgs.edit.pictureAlt')))
  const changes: { [Name in (typeof TEXTS)[number]]?: string } & { bannerUrl?: string | null } = {}
  for (const name of TEXTS) {
    const text = field(form, name).trim()
    if (text !== (org[name] ?? '').trim()) changes[name] = text
  }
  if (banner) changes.bannerUrl = banner
  else if (form.has('removeBanner') && org.bannerUrl) changes.bannerUrl = null
  return changes
}

export const actions = {
  preview: preview('body', FORM),
  addImage: async (event) => {
    const { form, refused } = await read(event)
    if (refused) return refused
    if (!fileIn(form, 'image') && !fileIn(form, 'banner'))
      return refuse({ status: 400, message: `image: ${event.locals.t('orgs.edit.choosePicture')}` }, form, FORM)
    return (await uploadAll(event, form)) ?? { typed: typed(form), of: FORM, uploaded: true }
  },
  save: async (event) => {
    const { locals, params, url } = event
    const { form, refused } = await read(event)
    if (refused) return refused
    const failed = await uploadAll(event, form)
    if (failed) return failed
    const org = await found(locals.api.orgs.get({ id: params.slug }))
    const stale = refuseStale(form, org.updatedAt, FORM)
    if (stale) return stale
    const changes = changesIn(event, form, org)
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
