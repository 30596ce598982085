// Tables of what members write with: drafts of forms.

/** What an account typed into a form and did not send: once a page and a form. */
export interface FormDraftTable {
  id: string
  userId: string
  /** The path of the page. */
  path: string
  form: string
  /** A JSON array of names with texts. */
  fields: string
  updatedAt: string
}

export interface WritingDatabase {
  formDraft: FormDraftTable
}
