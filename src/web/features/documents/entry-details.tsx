import type { ReactNode } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";
import { CodeBlock } from "./code-block.tsx";
import type { DocumentEntry, EntryCall, EntryParameter } from "./document-entries.ts";
import { EntrySection } from "./entry-section.tsx";

const WRAPPED = "max-w-md whitespace-normal! py-2";
const CODE = "font-mono break-all";

const SECURITY: Readonly<Record<EntryCall["security"], string>> = {
  none: "Open to everyone",
  userData: "Signed with a key",
  trade: "Signed with a key that may trade",
};

interface EntryDetailsProps {
  readonly entry: DocumentEntry;
  /** Content between the parameters and the answer. */
  readonly children?: ReactNode;
}

/** The reference of one API entry: parameters, answer, examples and errors. */
export function EntryDetails({ children, entry }: EntryDetailsProps) {
  const { call, errors, examples, fields, parameters, summary, title, weight } = entry;
  return (
    <>
      <h2 className="font-mono text-base font-semibold break-all">{title}</h2>
      <p className="mt-1 text-sm text-muted">{summary}</p>
      <p className="mt-2 flex flex-wrap gap-2">
        {call === undefined ? null : (
          <Badge tone={call.security === "none" ? "neutral" : "accent"}>
            {SECURITY[call.security]}
          </Badge>
        )}
        {weight === undefined ? null : (
          <Badge className="whitespace-normal!">Weight: {weight}</Badge>
        )}
      </p>
      {parameters.length === 0 ? null : (
        <EntrySection title="Parameters">
          <ParameterList parameters={parameters} />
        </EntrySection>
      )}
      {children}
      <EntrySection title={examples.length > 1 ? "Examples" : "Example"}>
        {examples.length === 0 ? (
          <p className="text-sm text-muted">It is refused, or answers this document.</p>
        ) : (
          <div className="grid gap-3">
            {examples.map((example, index) => (
              <div key={`${index} ${example.title}`} className="grid min-w-0 gap-1">
                {example.title === "" ? null : (
                  <p className="font-mono text-xs break-all text-muted">{example.title}</p>
                )}
                <CodeBlock
                  label={`Example ${index + 1} of ${title}`}
                  text={JSON.stringify(example.value, null, 2)}
                />
              </div>
            ))}
          </div>
        )}
      </EntrySection>
      {fields.length === 0 ? null : (
        <EntrySection title="Fields">
          <FieldTable entry={entry} />
        </EntrySection>
      )}
      {errors.length === 0 ? null : (
        <EntrySection title="Errors">
          <ErrorTable entry={entry} />
        </EntrySection>
      )}
    </>
  );
}

function ParameterList({ parameters }: { readonly parameters: readonly EntryParameter[] }) {
  return (
    <ul aria-label="Parameters" className="divide-y border-y text-xs">
      {parameters.map(({ description, isRequired, name, type }) => (
        <li key={name} className="grid gap-1 py-2">
          <span className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-mono font-semibold">{name}</span>
            <span className="min-w-0 font-mono break-words text-muted">{type}</span>
            {isRequired ? <span className="text-warn">required</span> : null}
          </span>
          {description === "" ? null : (
            <span className="text-muted">
              <MarkedText text={description} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function FieldTable({ entry: { fields } }: { readonly entry: DocumentEntry }) {
  return (
    <Table aria-label="Fields">
      <thead>
        <TableRow>
          <TableHead>Field</TableHead>
          <TableHead>Type</TableHead>
        </TableRow>
      </thead>
      <tbody>
        {fields.map(({ isAlways, path, type }) => (
          <TableRow key={path}>
            <TableCell className={`${WRAPPED} ${CODE}`}>{path}</TableCell>
            <TableCell className={WRAPPED}>
              {type}
              {isAlways ? null : <span className="ml-2 text-muted">not always</span>}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function ErrorTable({ entry: { errors } }: { readonly entry: DocumentEntry }) {
  return (
    <Table aria-label="Errors">
      <thead>
        <TableRow>
          <TableHead numeric>Code</TableHead>
          <TableHead>Status</TableHead>
          <TableHead>When</TableHead>
        </TableRow>
      </thead>
      <tbody>
        {errors.map(({ code, meaning, statuses }) => (
          <TableRow key={code}>
            <TableCell numeric>{code}</TableCell>
            <TableCell className={`${WRAPPED} figures`}>{statuses.join(", ")}</TableCell>
            <TableCell className={WRAPPED}>
              <MarkedText text={meaning} />
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

/** A text, of which names between backticks are printed as code. */
function MarkedText({ text }: { readonly text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="font-mono text-text">
        {part}
      </code>
    ),
  );
}
