interface SettingsNavigationProps {
  readonly groups: readonly {
    readonly title: string;
    readonly sections: readonly { readonly id: string; readonly title: string }[];
  }[];
}

/** The sections of the page by name, beside it where there is room. */
export function SettingsNavigation({ groups }: SettingsNavigationProps) {
  return (
    <nav aria-label="Settings" className="sticky top-16 hidden self-start text-sm lg:block">
      {groups.map(({ title, sections }) => (
        <div key={title} className="mb-5">
          <p className="px-2 text-xs text-faint">{title}</p>
          <ul className="mt-1">
            {sections.map((section) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="block rounded-md px-2 py-1 text-muted hover:bg-hover hover:text-text"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
