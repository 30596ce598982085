// The widget on other sites (community/widget).

/** A key with which a listed site signs who its people are. */
export interface WidgetKeyTable {
  id: string
  /** An origin. */
  site: string
  /** Sealed. */
  secret: string
  createdAt: string
  /** To the hour. */
  lastUsedAt: string | null
}

/** The account of a person of a site. That of guests has neither a site nor a subject. */
export interface WidgetIdentityTable {
  site: string
  subject: string
  userId: string
  createdAt: string
}

export interface WidgetDatabase {
  widgetKey: WidgetKeyTable
  widgetIdentity: WidgetIdentityTable
}
