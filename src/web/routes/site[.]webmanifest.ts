import { createFileRoute } from "@tanstack/react-router";

/** The manifest for installing the exchange as an app; its name is configured. */
export const Route = createFileRoute("/site.webmanifest")({
  server: {
    handlers: {
      GET: ({ context: { productName } }) =>
        Response.json(
          {
            name: productName,
            short_name: productName,
            start_url: "/dashboard",
            display: "standalone",
            background_color: "#0a0b0d",
            theme_color: "#0a0b0d",
            icons: [
              { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
              { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
              {
                src: "/icons/icon-maskable-512.png",
                sizes: "512x512",
                type: "image/png",
                purpose: "maskable",
              },
            ],
          },
          { headers: { "content-type": "application/manifest+json" } },
        ),
    },
  },
});
